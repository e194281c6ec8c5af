// SPDX-License-Identifier: MIT
// Each remedy that a trace or checkPadding() prints is run, eagerly and in a graph: after it,
// padding does not change the answer. A remedy without a program here is a failure.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, test } from 'node:test';
import * as mf from '../../dist/train.js';
import { internals } from '../support/internals.js';

const { Input, Layer, layers, Model, ops, tensor } = mf;

before(() => mf.ready({ onMaskDropped: 'silent', seed: 7 }));

const kLong = 11;
const kShort = 5;
const kFeatures = 3;

/** Two rows of `kShort` steps of data, and padding that is not zero up to `steps` steps. */
function data(steps) {
  const row = (b) =>
    Array.from({ length: steps }, (_, t) =>
      Array.from({ length: kFeatures }, (_, i) => (t < kShort ? Math.sin(1 + b + 3 * t + i) : 4)),
    );
  const mask = [0, 1].map(() => Array.from({ length: steps }, (_, t) => t < kShort));
  return { x: tensor([row(0), row(1)]), mask: tensor(mask, { dtype: 'bool' }) };
}

/** Evaluates code of a remedy. */
const evaluate = (code, names) =>
  new Function(...Object.keys(names), `return (${code})`)(...Object.values(names));

/** Pools a result with steps, by its mask; other results are compared as they are. */
const pooled = (y) => (y.shape.length === 3 ? layers.globalAveragePooling1D().apply(y) : y);

const close = (a, b, what) => {
  const [p, q] = [a.data(), b.data()];
  assert.deepEqual(a.shape, b.shape, what);
  assert.ok(
    p.every((value, i) => Math.abs(value - q[i]) < 1e-5),
    `${what}: ${p} and ${q}`,
  );
};

/**
 * Checks that the answer of a program does not depend on padding, eagerly and in a graph. The
 * program receives a masked x; it is called once before, so that layers are created once.
 */
function holds(what, make) {
  const program = make();
  const eager = (steps) => {
    const { x, mask } = data(steps);
    return pooled(program(x.withMask(mask), mask));
  };
  const short = eager(kShort);
  close(short, eager(kLong), `${what}, eagerly`);
  const inputs = [Input({ shape: [null, kFeatures] }), Input({ shape: [null], dtype: 'bool' })];
  const [x, mask] = inputs;
  const model = new Model({ inputs, outputs: pooled(program(x.withMask(mask), mask)) });
  for (const steps of [kShort, kLong]) {
    const each = data(steps);
    close(short, model.predict([each.x, each.mask]), `${what}, in a graph of ${steps} steps`);
  }
}

/** A program that calls a layer and then evaluates the code of the remedy. */
const ofLayer =
  (makeLayer, more = () => ({})) =>
  (code) =>
  () => {
    const layer = makeLayer();
    return (x) => {
      const names = { x, layer, layers, ops, ...more(x) };
      if (/\by\b/.test(code)) names.y = layer.apply(x);
      return evaluate(code, names);
    };
  };
/** A program that computes y from x by an op and then evaluates the code. */
const ofOp =
  (f, after = (z) => z) =>
  (code) =>
  () =>
  (x) =>
    after(evaluate(code, { x, y: f(x), f, ops, layers }));

const other = (x) => ({ z: ops.multiply(x, 2) });

/** The programs of each remedy: functions of its code. */
const programs = {
  operation: [
    ofOp((x) => ops.add(x, 1)),
    ofOp((x) => ops.tanh(x)),
    // The layers that it names.
    () => () => {
      const all = [
        layers.rescaling({ scale: 2, offset: 1 }),
        layers.activation({ activation: 'tanh' }),
      ];
      return (x) => all.reduce((y, layer) => layer.apply(y), x);
    },
    () => () => {
      const [add, multiply] = [layers.add(), layers.multiply()];
      return (x) => add.apply([x, multiply.apply([x, x])]);
    },
  ],
  otherSteps: [ofOp((x) => ops.flip(x, { axis: 1 })), ofOp((x) => ops.roll(x, 2, { axis: 1 }))],
  lastStep: [
    (code) => () => {
      const settings = evaluate(code, {});
      assert.deepEqual(settings, { returnSequences: false });
      const lstm = layers.lstm({ units: 2, ...settings });
      return (x) => lstm.apply(x);
    },
  ],
  sum: [
    ofOp(
      (x) => x,
      (x) => ops.sum(x, { axis: 1 }),
    ),
  ],
  maximum: [
    ofOp(
      (x) => x,
      (x) => ops.max(x, { axis: 1 }),
    ),
    ofOp(
      (x) => x,
      (x) => ops.logsumexp(x, { axis: 1 }),
    ),
  ],
  minimum: [
    ofOp(
      (x) => x,
      (x) => ops.min(x, { axis: 1 }),
    ),
  ],
  pooling: [ofOp((x) => ops.mean(x, { axis: 1 }))],
  uses: [
    (code) => () => {
      class Scale extends Layer {
        call(x, { mask }) {
          return ops.where(ops.expandDims(mask, -1), x, 0);
        }
      }
      const layer = new Scale();
      return (x) => evaluate(code, { x, y: layer.apply(x) });
    },
  ],
  merge: [ofLayer(() => layers.add(), other), ofLayer(() => layers.maximum(), other)],
  custom: [
    (code) => () => {
      class Plus extends Layer {
        call(x) {
          return ops.add(x, 1);
        }
      }
      const layer = new Plus();
      return (x) => evaluate(code, { x, y: layer.apply(x) });
    },
    () => () => {
      class Supports extends Layer {
        constructor(config) {
          super(config);
          this.supportsMasking = true;
        }
        call(x) {
          return ops.add(x, 1);
        }
      }
      const layer = new Supports();
      return (x) => layer.apply(x);
    },
    () => () => {
      class Computes extends Layer {
        call(x) {
          return ops.add(x, 1);
        }
        computeMask(_x, mask) {
          return mask;
        }
      }
      const layer = new Computes();
      return (x) => layer.apply(x);
    },
  ],
  ignored: [
    (code) => () => {
      const layer = layers.gru({ units: kFeatures });
      return (x) => {
        const initialState = layers.globalAveragePooling1D().apply(x);
        return evaluate(code, { x, layer, initialState });
      };
    },
  ],
  taken: [
    (code) => () => {
      const [first, second] = [0, 1].map(() =>
        layers.multiHeadAttention({ numHeads: 1, keyDim: 2 }),
      );
      const add = layers.add();
      return (x) => {
        const copy = evaluate(code, { x });
        const a = first.apply({ query: copy, value: copy });
        const again = x.withMask(x.mask);
        return add.apply([a, second.apply({ query: again, value: x })]);
      };
    },
  ],
  // --- layers
  convolution: ['same', 'causal'].flatMap((padding) => [
    ofLayer(() => layers.conv1D({ filters: 2, kernelSize: 3, padding })),
    ...(padding === 'same'
      ? [
          ofLayer(() => layers.separableConv1D({ filters: 2, kernelSize: 3, padding })),
          ofLayer(() => layers.depthwiseConv1D({ kernelSize: 3, padding })),
          ofLayer(() => layers.conv1DTranspose({ filters: 2, kernelSize: 3, padding })),
        ]
      : []),
  ]),
  window: [
    ofLayer(() => layers.maxPooling1D({ poolSize: 2 })),
    ofLayer(() => layers.averagePooling1D({ poolSize: 2 })),
    ofLayer(() => layers.maxPooling1D({ poolSize: 3, strides: 1 })),
  ],
  maximumLayer: [ofLayer(() => layers.globalMaxPooling1D())],
  shifted: [
    ofLayer(() => layers.zeroPadding1D({ padding: [2, 3] })),
    ofLayer(() => layers.cropping1D({ cropping: [1, 0] })),
    ofLayer(() => layers.upSampling1D({ size: 2 })),
  ],
  permuted: [
    (code) => () => {
      const layer = layers.permute({ dims: [2, 1] });
      return (x) => ops.sum(evaluate(code, { x, layer, ops }), { axis: -1 });
    },
  ],
  dot: [
    (code) => () => {
      const run = ofLayer(() => layers.dot({ axes: 1 }), other)(code)();
      const flatten = layers.flatten();
      return (x) => flatten.apply(run(x));
    },
  ],
  counted: [
    (code) => () => {
      const layer = layers.categoryEncoding({ numTokens: 6, outputMode: 'count' });
      return (x) => {
        const ids = ops.cast(ops.absolute(ops.max(x, { axis: -1 })), 'int32');
        return evaluate(code, { x: ids.withMask(x.mask), layer });
      };
    },
  ],
  frames: [(code) => () => (x) => evaluate(code, { y: ops.add(x, 1), frames: x.mask })],
  lambda: [
    (code) => () => {
      const layer = evaluate(code, { layers, f: (x) => ops.add(x, 1) });
      return (x) => layer.apply(x);
    },
  ],
  // --- checkPadding
  embedding: [
    (code) => () => {
      const layer = layers.embedding({ inputDim: 9, outputDim: 2, ...evaluate(code, {}) });
      return (_x, mask) => layer.apply(ops.cast(mask, 'int32'));
    },
  ],
  masking: [
    (code) => () => (x, mask) => evaluate(code, { x: x.withMask(null), mask }),
    () => () => {
      const layer = layers.masking({ maskValue: 4 });
      return (x) => layer.apply(x.withMask(null));
    },
  ],
  mixes: [
    (code) => () => {
      class Sum extends Layer {
        call(x) {
          return ops.sum(x, { axis: 1 });
        }
      }
      const layer = new Sum();
      return (x) => layer.apply(evaluate(code, { x, ops }));
    },
  ],
};

async function allRemedies() {
  const [{ remedies }, { remediesOfLayers }, { paddingRemedies }] = await Promise.all(
    ['model/remedies.ts', 'model/layer_remedies.ts', 'model/padding/fault.ts'].map(internals),
  );
  const { maximum, ...ofLayers } = remediesOfLayers;
  return { ...remedies, ...ofLayers, maximumLayer: maximum, ...paddingRemedies };
}

test('every remedy has programs, and they ignore padding', async () => {
  const all = await allRemedies();
  assert.deepEqual(Object.keys(all).sort(), Object.keys(programs).sort());
  for (const [name, { code }] of Object.entries(all)) {
    for (const [i, program] of programs[name].entries()) {
      holds(`${name} ${i}: ${code}`, program(code));
    }
  }
});

test('the guide prints only code of remedies', async () => {
  const codes = Object.values(await allRemedies()).map(({ code }) => code);
  const guide = readFileSync(
    new URL('../../docs/guides/debugging-masks.md', import.meta.url),
    'utf8',
  );
  const table = guide.slice(guide.indexOf('| cause | remedy |')).split('\n');
  const printed = table.flatMap((row) =>
    [...(row.split(' | ')[1] ?? '').matchAll(/`([^`]*[({][^`]*)`/g)].map(([, code]) => code),
  );
  assert.ok(printed.length > 7);
  for (const code of printed) assert.ok(codes.includes(code), code);
});
