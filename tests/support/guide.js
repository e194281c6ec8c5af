// SPDX-License-Identifier: MIT
// The examples of Keras's guide "Understanding masking and padding", computed by this package. Each
// example returns its results; the terminal prints them, and the tests check them.
import * as mf from '../../dist/index.js';
import {
  CustomEmbedding,
  MyActivation,
  MyLayer,
  SilentActivation,
  TemporalSoftmax,
  TemporalSplit,
} from './guide_layers.js';

const { layers, ops, padSequences, tensor } = mf;

const ids = [
  [711, 632, 71],
  [73, 8, 3215, 55, 927],
  [83, 91, 1, 645, 1253, 927],
];
const post = () => padSequences(ids, { padding: 'post' });
const embedding = () => layers.embedding({ inputDim: 5000, outputDim: 16, maskZero: true });

/** Returns ids as a batch (3, 6, 10) of numbers that repeats each id ten times, to show Masking. */
function tiled() {
  return ops.tile(ops.expandDims(ops.cast(post(), 'float32'), -1), [1, 1, 10]);
}

/** Returns repeatable random ids in 0 .. limit - 1. */
function randomIds(rows, columns, limit) {
  let state = 42;
  const next = () => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return (state >> 8) % limit;
  };
  return tensor(
    Array.from({ length: rows }, () => Array.from({ length: columns }, next)),
    { dtype: 'int32' },
  );
}

export function worstDifference(a, b) {
  const y = b.data();
  return a.data().reduce((worst, x, i) => Math.max(worst, Math.abs(x - y[i])), 0);
}

/** Runs `body` without warnings on the console; returns its result and the warnings. */
function silently(body) {
  const { warn } = console;
  const warnings = [];
  console.warn = (text) => warnings.push(text);
  try {
    return [body(), warnings];
  } finally {
    console.warn = warn;
  }
}

export const guide = [
  {
    id: 'G1',
    title: 'Padding',
    notice:
      "Keras pads and cuts in front by default ('pre'); for recurrent layers 'post' is usual.",
    run: () => ({
      post: post(),
      pre: padSequences(ids),
      cut: padSequences(ids, { maxlen: 4, truncating: 'post', padding: 'post', value: -1 }),
    }),
  },
  {
    id: 'G2',
    title: 'The layers that make masks',
    notice:
      'Embedding masks id 0, Masking the steps whose features are all 0: here it is the same mask.',
    run: () => ({
      embedding: embedding().apply(post()).mask,
      masking: layers.masking().apply(tiled()).mask,
    }),
  },
  {
    id: 'G3',
    title: 'Masks travel by themselves',
    notice:
      'Sequential and functional models give the LSTM its mask; more padding changes nothing.',
    run: () => {
      const embed = embedding();
      const lstm = layers.lstm({ units: 32 });
      const sequential = new mf.Sequential([embed, lstm]);
      const input = mf.Input({ shape: [null], dtype: 'int32' });
      const functional = new mf.Model({ inputs: input, outputs: lstm.apply(embed.apply(input)) });
      const short = sequential.predict(post());
      return {
        output: short.shape,
        functionalDiffers: worstDifference(short, functional.predict(post())),
        morePaddingDiffers: worstDifference(
          short,
          sequential.predict(padSequences(ids, { padding: 'post', maxlen: 20 })),
        ),
      };
    },
  },
  {
    id: 'G4',
    title: 'A mask passed by hand',
    notice:
      'computeMask gives the mask alone; `mask` takes it. Here it equals what would travel by itself.',
    run: () => {
      const layer = new MyLayer();
      const input = randomIds(32, 10, 100);
      const output = layer.apply(input);
      return {
        output: output.shape,
        attachedDiffers: worstDifference(output, layer.lstm.apply(layer.embedding.apply(input))),
      };
    },
  },
  {
    id: 'G5',
    title: 'A layer that changes the mask',
    notice: 'TemporalSplit cuts data and mask alike; without a mask it makes none.',
    run: () => {
      const [first, second] = new TemporalSplit().apply(layers.masking().apply(tiled()));
      const plain = new TemporalSplit().apply(tiled());
      return { first: first.mask, second: second.mask, unmasked: plain.map((half) => half.mask) };
    },
  },
  {
    id: 'G6',
    title: 'A layer that makes a mask',
    notice: 'Overriding computeMask is enough: the mask is attached to what apply returns.',
    run: () => {
      const layer = new CustomEmbedding({ inputDim: 10, outputDim: 32, maskZero: true });
      const input = randomIds(3, 10, 9);
      const output = layer.apply(input);
      return { ids: input, output: output.shape, mask: output.mask };
    },
  },
  {
    id: 'G7',
    title: 'Opting in',
    notice:
      'A layer that works on each step alike sets supportsMasking; otherwise the mask ends there, with a warning.',
    run: () => {
      const x = embedding().apply(post());
      const [dropped, warnings] = silently(() => new SilentActivation().apply(x).mask);
      const input = mf.Input({ shape: [null], dtype: 'int32' });
      const symbolic = new MyActivation().apply(embedding().apply(input));
      const model = new mf.Model({
        inputs: input,
        outputs: layers.lstm({ units: 32 }).apply(symbolic),
      });
      return {
        kept: new MyActivation().apply(x).mask,
        dropped,
        warnings,
        symbolicMask: symbolic.mask !== null,
        output: model.predict(post()).shape,
      };
    },
  },
  {
    id: 'G8',
    title: 'A layer that uses the mask',
    notice:
      'TemporalSoftmax: 0 on masked steps, each row sums to 1. (The guide divides by a sum over the last axis, and passes a second positional argument that Keras 3 refuses: both are put right here.)',
    run: () => {
      const input = randomIds(32, 100, 10);
      const scores = layers
        .dense({ units: 1 })
        .apply(layers.embedding({ inputDim: 10, outputDim: 32, maskZero: true }).apply(input));
      const [output] = silently(() => new TemporalSoftmax().apply(scores));
      const values = output.data();
      const mask = scores.mask.data();
      const masked = values.filter((_, i) => mask[i] === 0);
      const sums = Array.from({ length: 32 }, (_, row) =>
        values.slice(row * 100, row * 100 + 100).reduce((a, b) => a + b, 0),
      );
      return {
        output: output.shape,
        maskedSteps: masked.length,
        largestMasked: Math.max(...masked),
        sumsDiffer: Math.max(...sums.map((sum) => Math.abs(sum - 1))),
      };
    },
  },
  {
    id: 'G9',
    title: 'Saving and making again',
    notice: 'Registered classes survive configuration → model, with the same numbers.',
    run: () => {
      mf.registerLayer(MyActivation, { package: 'Custom' });
      mf.registerLayer(TemporalSoftmax, { package: 'Custom' });
      const input = mf.Input({ shape: [null], dtype: 'int32' });
      const x = new MyActivation().apply(
        layers.embedding({ inputDim: 5000, outputDim: 8, maskZero: true }).apply(input),
      );
      const [result] = silently(() => {
        const outputs = new TemporalSoftmax().apply(layers.dense({ units: 1 }).apply(x));
        const model = new mf.Model({ inputs: input, outputs });
        const again = mf.Model.fromConfig(JSON.parse(JSON.stringify(model.getConfig())));
        again.setWeights(model.getWeights());
        const differs = worstDifference(model.predict(post()), again.predict(post()));
        return { layers: again.layers.map((layer) => layer.className), differs };
      });
      return result;
    },
  },
  {
    id: 'G10',
    title: 'Where the mask goes',
    notice:
      'traceMasks tells of every layer and operation what it did to the mask, why, and what to do.',
    run: () => {
      const input = mf.Input({ shape: [null], dtype: 'int32' });
      const x = embedding().apply(input);
      const y = layers.lstm({ units: 8, returnSequences: true }).apply(x);
      const model = new mf.Model({
        inputs: input,
        outputs: layers.lstm({ units: 4 }).apply(ops.add(y, 1)),
      });
      const entries = model.traceMasks(post());
      return {
        roles: entries.map(({ className, role }) => `${className} ${role}`),
        lost: entries.filter(({ role }) => role === 'drops'),
      };
    },
  },
];
