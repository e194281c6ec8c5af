// SPDX-License-Identifier: MIT
// Limits and signals end everything that reads a file. Time is not measured with a stopwatch: the
// clock is false, or the share of work between two looks at the clock is measured.
import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { zipSync } from 'fflate';
import * as mf from '../../../dist/train.js';
import * as text from '../../../dist/text.js';
import { readTorch } from '../../../dist/torch.js';
import { cpuTime } from '../../support/cpu_time.js';
import { array, legacyH5, treeH5 } from '../../support/legacy_files.js';
import { keras, vectorization } from '../../support/text_layers.js';
import { name, pickle, text as word } from '../../support/torch_pickles.js';
import { functional, layer, sequential, symbol } from '../../fuzz/doubling/graphs.js';

await mf.ready({ onMaskDropped: 'silent' });

const range = (size, make) => Array.from({ length: size }, (_, i) => make(i));
const bytesOf = (value) => new TextEncoder().encode(value);
const input = layer('InputLayer', 'in', { batch_shape: [null, 2] }, { inbound_nodes: [] });
const small = new mf.Sequential([mf.Input({ shape: [1] }), mf.layers.dense({ units: 1 })]);
after(() => small.dispose());

const dense = (i) => layer('Dense', `d${i}`, { units: 2 });
const plain = JSON.stringify(sequential([input, ...range(2500, dense)]));
const calls = range(4000, (i) => ({
  args: [symbol(i > 0 ? 'd' : 'in', i > 0 ? i - 1 : 0)],
  kwargs: {},
}));
const graph = JSON.stringify(
  functional(
    [input, layer('Dense', 'd', { units: 2 }, { inbound_nodes: calls })],
    [['in', 0, 0]],
    [['d', 3999, 0]],
  ),
);
const weights = treeH5(
  Object.fromEntries(
    range(2500, (i) => [
      `layers/dense${i ? `_${i}` : ''}/vars/0`,
      { shape: [2, 2], data: new Float32Array(4) },
    ]),
  ),
);
const kerasFile = zipSync(
  {
    'metadata.json': bytesOf('{"keras_version":"3.15.1"}'),
    'config.json': bytesOf(
      JSON.stringify(
        sequential([
          input,
          ...range(2500, (i) => layer('Dense', `d${i}`, { units: 2, use_bias: false })),
        ]),
      ),
    ),
    'model.weights.h5': weights,
  },
  { level: 0 },
);
const own = (i) => ({
  ...layer(`Own${i}`, `o${i}`, { a: i, b: 'x' }),
  module: 'm',
  registered_name: `p>Own${i}`,
});
const pairs = range(60_000, (i) => [`l${i}.weight`, [0x4b, 1]]);
const torchPickle = pickle(
  [...name('m', 'M'), 0x29, 0x81, 0x30, 0x7d, 0x28].concat(
    ...pairs.map(([key, value]) => [...word(key), ...value]),
    0x75,
  ),
);
const plainPickle = pickle(
  [0x7d, 0x28].concat(...pairs.map(([key, value]) => [...word(key), ...value]), 0x75),
);
const header = JSON.stringify(
  Object.fromEntries(
    range(60_000, (i) => [`l${i}.weight`, { dtype: 'F32', shape: [1], data_offsets: [0, 4] }]),
  ),
);
const safetensors = Buffer.concat([
  new Uint8Array(BigUint64Array.of(BigInt(header.length)).buffer),
  bytesOf(header),
  new Uint8Array(4),
]);
const npyHeader = "{'descr': '>i8', 'fortran_order': True, 'shape': (1500000, 2), }".padEnd(117);
const npy = Buffer.concat([
  Buffer.from('\x93NUMPY\x01\0\x76\0', 'latin1'),
  Buffer.from(`${npyHeader}\n`),
  new Uint8Array(24e6),
]);

const tfjsModel = await (async () => {
  const model = new mf.Sequential([
    mf.Input({ shape: [2] }),
    ...range(2500, (i) => mf.layers.dense({ units: 2, name: `t${i}` })),
  ]);
  const files = [...(await model.saveTfjs())].map(([name, bytes]) => new File([bytes], name));
  model.dispose();
  return files;
})();

/** A .h5 file of Keras 2 with 1,500 layers, whose config is in several attributes. */
const legacy = (() => {
  const names = range(1500, (i) => `l${i}`);
  const first = { batch_input_shape: [null, 2] };
  return legacyH5({
    config: {
      class_name: 'Sequential',
      config: {
        name: 's',
        layers: names.map((name, i) => ({
          class_name: 'Dense',
          config: { name, units: 2, use_bias: false, ...(i === 0 ? first : {}) },
        })),
      },
    },
    version: '2.15.0',
    layers: names.map((name) => ({
      name,
      weights: [array(`${name}/kernel:0`, [2, 2], [1, 2, 3, 4])],
    })),
    parts: 100,
  });
})();

/** A model of TextVectorization alone, whose vocabulary is a file of 60,000 words. */
const vocabulary = zipSync(
  {
    'metadata.json': bytesOf('{"keras_version":"3.15.1"}'),
    'config.json': bytesOf(
      JSON.stringify({
        module: 'keras',
        class_name: 'Sequential',
        config: {
          name: 'texts',
          layers: [
            keras('InputLayer', { batch_shape: [null, 1], dtype: 'string', name: 'text' }),
            vectorization({ max_tokens: null }),
          ],
        },
        registered_name: null,
      }),
    ),
    'model.weights.h5': treeH5({}),
    'assets/layers/text_vectorization/vocabulary.txt': bytesOf(
      range(60_000, (i) => `w${i}`).join('\n'),
    ),
  },
  { level: 0 },
);

const npz = zipSync({ 'input_0.npy': npy, 'output_0.npy': npy }, { level: 0 });

/** Readers with a large valid file, or with one that is refused at its end. */
const readers = {
  'loadModel: JSON': [(options) => mf.loadModel(plain, { weights: null, ...options })],
  'loadModel: a graph': [(options) => mf.loadModel(graph, { weights: null, ...options })],
  'loadModel: .keras': [(options) => mf.loadModel(kerasFile, options)],
  'loadModel: TensorFlow.js': [(options) => mf.loadModel(tfjsModel, options)],
  'loadModel: .h5': [(options) => mf.loadModel(legacy, options)],
  'loadModel: a vocabulary': [(options) => mf.loadModel(vocabulary, options)],
  'Model.prototype.loadWeights': [(options) => small.loadWeights(weights, options), /left over/],
  readCsv: [(options) => mf.readCsv(bytesOf('a,b,c\n1,2,x\n'.repeat(200_000)), options)],
  readNpy: [(options) => mf.readNpy(npy, options)],
  writeSkeleton: [
    (options) =>
      mf.writeSkeleton(JSON.stringify(sequential([input, ...range(4000, own)])), options),
  ],
  verify: [
    (options) =>
      mf.verify(
        small,
        JSON.stringify({
          inputs: [range(300_000, () => [1])],
          outputs: [range(300_000, () => [1])],
        }),
        options,
      ),
  ],
  'verify: .npz': [(options) => mf.verify(small, npz, options), /shape|2/],
  'readTorch: pickle': [
    (options) =>
      readTorch(
        zipSync({ 'm/data.pkl': torchPickle, 'm/version': bytesOf('3\n') }, { level: 0 }),
        options,
      ),
    /no state dict/,
  ],
  readPickle: [(options) => text.readPickle(plainPickle, options)],
  'readTorch: safetensors': [(options) => readTorch(safetensors, options)],
};

/** Readers of values in memory or of the program's own files, which have no options. */
const others = {
  'Layer.fromConfig': 'a config in memory of at most 1,000,000 values',
  'Model.fromConfig': 'a config in memory of at most 1,000,000 values',
  deserializeLayer: 'a config in memory of at most 1,000,000 values',
  'HashedCrossing.fromConfig': 'a config in memory',
  'Hashing.fromConfig': 'a config in memory',
  'IntegerLookup.fromConfig': 'a config in memory',
  'StringLookup.fromConfig': 'a config in memory',
  'TextVectorization.fromConfig': 'a config in memory',
  'Tokenizer.fromJSON': 'a text in memory',
  'optimizers.deserialize': 'a config in memory',
  'callbacks.backupAndRestore': 'a file that fit() of the same program wrote',
  'Tensor.prototype.read': 'a tensor',
};

/** Names of functions of a module and of methods of its classes. */
function namesOf(module, prefix = '') {
  return Object.entries(module).flatMap(([key, value]) => {
    const path = `${prefix}${key}`;
    if (typeof value === 'object' && value && !prefix) return namesOf(value, `${path}.`);
    if (typeof value !== 'function') return [];
    const own = Object.getOwnPropertyNames(value).map((each) => `${path}.${each}`);
    const methods = Object.getOwnPropertyNames(value.prototype ?? {});
    return [path, ...own, ...methods.map((each) => `${path}.prototype.${each}`)];
  });
}

test('the table has all readers', () => {
  const isReader = (path) =>
    /(^|\.)(load|read(?!y)|verify|writeSkeleton|fromConfig|deserialize|fromJSON|backup)/.test(path);
  const last = (path) => path.replace(/\.(length|name|prototype(\.constructor)?)$/, '');
  const all = [mf, text, { readTorch }].flatMap((module) => namesOf(module));
  const known = [...Object.keys(readers).map((key) => key.split(':')[0]), ...Object.keys(others)];
  const found = new Set(all.map(last).filter(isReader));
  assert.deepEqual(
    [...found].filter((path) => !known.includes(path)),
    [],
  );
  assert.deepEqual(
    known.filter((path) => !found.has(path)),
    [],
  );
});

async function outcome(run) {
  try {
    const result = await run();
    if (result?.dispose) result.dispose();
    return null;
  } catch (error) {
    return error;
  }
}

/** Runs with another clock. */
async function withClock(now, run) {
  const real = performance.now;
  performance.now = () => now(real.call(performance));
  try {
    return await run();
  } finally {
    delete performance.now;
  }
}

test('a vocabulary counts as text, and its file beside the model as bytes', async () => {
  const refused = (source, options, message) =>
    assert.rejects(mf.loadModel(source, options), { name: 'FormatError', message });
  const text = { limits: { text: 100_000 } };
  await refused(vocabulary, text, /vocabulary\.txt: \d+ bytes of text, more than the 100000 that/);
  // The words cannot be read in so short a time, and nothing can stop the layer.
  await refused(vocabulary, { limits: { milliseconds: 60 } }, /more than the 60 that limits\.mil/);
  const model = keras('Sequential', {
    name: 'texts',
    layers: [
      keras('InputLayer', { batch_shape: [null, 1], dtype: 'string', name: 'text' }),
      vectorization({ vocabulary: 'words.txt', max_tokens: null }),
    ],
  });
  const files = [
    { name: 'model.json', data: bytesOf(JSON.stringify(model)) },
    { name: 'words.txt', data: bytesOf(range(1000, (i) => `w${i}`).join('\n')) },
  ];
  (await mf.loadModel({ files }, { weights: null })).dispose();
  const bytes = { weights: null, limits: { bytes: 4000 } };
  await refused({ files }, bytes, /bytes, more than the 4000 that limits\.bytes allows/);
});

/** CPU milliseconds of the longest piece of work between two looks at the clock, and of all. */
async function pieces(read) {
  const start = cpuTime();
  let [last, longest] = [start, 0];
  const note = (time) => {
    const now = cpuTime();
    longest = Math.max(longest, now - last);
    last = now;
    return time;
  };
  await withClock(note, () => outcome(() => read({})));
  note();
  return [longest, cpuTime() - start];
}

suite('limits of readers', () => {
  for (const [what, [read, refused]] of Object.entries(readers)) {
    suite(what, () => {
      test('reads without limits', async () => {
        const error = await outcome(() => read({}));
        if (refused) assert.match(String(error?.message), refused);
        else assert.equal(error, null);
      });

      test('ends at limits.milliseconds, between any two looks at the clock', async () => {
        // Each look adds a minute, so that the second or third one is beyond the limit.
        let minutes = 0;
        const run = () => outcome(() => read({ limits: { milliseconds: 100_000 } }));
        const error = await withClock((time) => time + 60_000 * minutes++, run);
        assert.equal(error?.name, 'FormatError');
        assert.match(error.message, /\d+ milliseconds, more than the 100000 that limits\.mil/);
      });

      test('ends at limits.bytes', {
        skip: what === 'verify' && 'a recording is in memory',
      }, async () => {
        const error = await outcome(() => read({ limits: { bytes: 1000 } }));
        assert.equal(error?.name, 'FormatError');
        assert.match(error.message, /more than the 1000 that limits\.bytes/);
      });

      test('ends with the reason of a signal', async () => {
        const reason = new Error('no longer wanted');
        assert.equal(await outcome(() => read({ signal: AbortSignal.abort(reason) })), reason);
        const control = new AbortController();
        let looks = 0;
        const abort = (time) => {
          if (++looks === 3) control.abort(reason);
          return time;
        };
        const error = await withClock(abort, () => outcome(() => read({ signal: control.signal })));
        assert.equal(error, reason);
      });

      test('looks at the clock often', async () => {
        await outcome(() => read({}));
        // The collector of garbage adds to any piece of one run, but seldom to the same piece of
        // three. Work that is shorter needs no look.
        const runs = [];
        const isOften = ([longest, all]) => longest < 250 || longest < all / 2;
        while (runs.length < 3 && !runs.some(isOften)) runs.push(await pieces(read));
        const shown = runs.map((run) => run.map(Math.round).join(' of ')).join(', ');
        assert.ok(runs.some(isOften), `${shown} ms`);
      });
    });
  }
});
