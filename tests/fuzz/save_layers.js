// SPDX-License-Identifier: MIT
// Saves one-layer models for real Keras to open. The options are those of the recorded cases, and
// random where predictions do not depend on them: node tests/fuzz/save_layers.js FOLDER [SEED],
// then python tests/fuzz/open_saved.py FOLDER
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as mf from '../../dist/index.js';
import { toTensor } from '../support/recorded_cases.js';
import { generator } from '../support/random.js';

const { layers } = mf;
const [folder, seed = '1'] = process.argv.slice(2);
const random = generator(Number(seed));
const pick = (list) => list[Math.floor(random() * list.length)];
const keras = (module, class_name, config) => ({
  module,
  class_name,
  config,
  registered_name: null,
});

const regularizers = [
  null,
  keras('keras.regularizers', 'L2', { l2: 0.01 }),
  keras('keras.regularizers', 'L1', { l1: 0.01 }),
  keras('keras.regularizers', 'L1L2', { l1: 0.1, l2: 0.2 }),
];
const constraints = [
  null,
  keras('keras.constraints', 'MaxNorm', { max_value: 2, axis: 0 }),
  keras('keras.constraints', 'NonNeg', {}),
  keras('keras.constraints', 'UnitNorm', { axis: 0 }),
];
const initializers = [
  keras('keras.initializers', 'HeNormal', { seed: 3 }),
  keras('keras.initializers', 'VarianceScaling', {
    scale: 2,
    mode: 'fan_avg',
    distribution: 'uniform',
    seed: null,
  }),
  keras('keras.initializers', 'Constant', { value: 0.5 }),
  keras('keras.initializers', 'TruncatedNormal', { mean: 0, stddev: 0.1, seed: 1 }),
];

/** Returns the config with random values for settings that do not affect a prediction. */
function vary(value) {
  if (Array.isArray(value)) return value.map(vary);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      if (key.endsWith('_regularizer') && random() < 0.3) return [key, pick(regularizers)];
      if (key.endsWith('_constraint') && random() < 0.3) return [key, pick(constraints)];
      if (key.endsWith('_initializer') && random() < 0.3) return [key, pick(initializers)];
      if (key === 'trainable' && random() < 0.3) return [key, false];
      if (/^(recurrent_)?dropout$/.test(key) && random() < 0.2) return [key, 0.25];
      if (key === 'seed' && random() < 0.3) return [key, 7];
      return [key, vary(item)];
    }),
  );
}

const camel = (name) => name.replace(/_([a-z])/g, (_, c) => c.toUpperCase());
const isTensor = (value) => typeof value === 'object' && value !== null && 'data' in value;

/** Creates the inputs of a model, in order. */
class Feed {
  symbols = [];
  tensors = [];
  /** Stateful layers need a fixed batch size. */
  constructor(entry) {
    this.hasFixedBatch = JSON.stringify(entry ?? null).includes('"stateful":true');
  }
  input(recorded) {
    const tensor = recorded instanceof mf.Tensor ? recorded : toTensor(recorded);
    const { shape, dtype } = tensor;
    const symbol = mf.Input(
      this.hasFixedBatch ? { batchShape: shape, dtype } : { shape: shape.slice(1), dtype },
    );
    this.symbols.push(symbol);
    this.tensors.push(tensor);
    return symbol;
  }
}

function modelOfCase({ layer: entry, inputs, arg, call, weights, expect }) {
  if ('error' in expect) return null;
  const layer = mf.deserializeLayer(vary(entry));
  const feed = new Feed(entry);
  const symbols = inputs.map((recorded) => feed.input(recorded));
  const input =
    arg === 'single'
      ? symbols[0]
      : arg === 'list'
        ? symbols
        : Object.fromEntries(arg.map((name, i) => [camel(name), symbols[i]]));
  const options = {};
  for (const [key, value] of Object.entries(call)) {
    if (key === 'training') continue;
    const isList = Array.isArray(value) && value.every(isTensor);
    options[camel(key)] = isList
      ? value.map((item) => feed.input(item))
      : isTensor(value)
        ? feed.input(value)
        : value;
  }
  const outputs = layer.apply(input, options);
  return { layer, feed, outputs, weights: weights.map(toTensor) };
}

const data = (shape, next = () => random() * 4 - 2) =>
  mf.tensor(Float32Array.from({ length: shape.reduce((a, b) => a * b, 1) }, next), { shape });

/** Classes and combinations that are not among the recorded cases. */
const others = [
  ...['one_hot', 'multi_hot', 'count'].map((outputMode) => () => [
    layers.categoryEncoding({ numTokens: 5, outputMode }),
    mf.tensor(
      [
        [0, 2, 1],
        [4, 4, 3],
      ],
      { dtype: 'int32' },
    ),
  ]),
  () => [layers.discretization({ binBoundaries: [-1, 0, 0.5] }), data([3, 4])],
  () => [
    layers.discretization({ binBoundaries: [-1, 0, 0.5], outputMode: 'multi_hot' }),
    data([3, 4]),
  ],
  () => [layers.normalization({ mean: 0.5, variance: 2 }), data([3, 4])],
  () => [
    layers.normalization({ axis: -1, mean: [1, 2, 3], variance: [4, 5, 6], invert: true }),
    data([2, 3]),
  ],
  () => [layers.normalization({ axis: null, mean: 0.1, variance: 0.4 }), data([2, 3])],
  () => [layers.spatialDropout1D({ rate: 0.3, trainable: false, seed: 3 }), data([2, 3, 4])],
  () => [layers.spatialDropout1D({ rate: 0.3 }), data([2, 3, 4])],
  () => [
    layers.timeDistributed({
      layer: new mf.Sequential([layers.dense({ units: 3 }), layers.layerNormalization()]),
    }),
    data([2, 3, 4]),
  ],
  () => [
    layers.spectralNormalization({ layer: layers.dense({ units: 3 }), powerIterations: 2 }),
    data([2, 4]),
  ],
  () => [
    layers.rnn({
      cell: [layers.lstmCell({ units: 2 }), layers.gruCell({ units: 3, resetAfter: false })],
      returnSequences: true,
    }),
    data([2, 3, 4]),
  ],
  () => [
    layers.bidirectional({
      layer: layers.rnn({ cell: layers.gruCell({ units: 2 }) }),
      mergeMode: 'ave',
    }),
    data([2, 3, 4]),
  ],
  () => [
    layers.bidirectional({
      layer: layers.lstm({ units: 2 }),
      backwardLayer: layers.gru({ units: 3, goBackwards: true }),
    }),
    data([2, 3, 4]),
  ],
  () => [
    new mf.Sequential([
      layers.dense({ units: 3, name: 'in' }),
      new mf.Sequential([layers.dropout({ rate: 0.5 }), layers.dense({ units: 2 })]),
    ]),
    data([2, 4]),
  ],
  () => {
    const x = mf.Input({ shape: [4] });
    return [
      new mf.Model({
        inputs: x,
        outputs: layers.add().apply([x, layers.dense({ units: 4 }).apply(x)]),
      }),
      data([2, 4]),
    ];
  },
];

function modelOfOther(create) {
  const [layer, x] = create();
  const feed = new Feed();
  return { layer, feed, outputs: layer.apply(feed.input(x)), weights: null };
}

const listOf = (value) => (value instanceof mf.Tensor ? [value] : Object.values(value));
const plain = (tensor) => ({
  shape: tensor.shape,
  dtype: tensor.dtype,
  data: [...tensor.data()].map((x) => (Number.isFinite(x) ? x : String(x))),
});

async function save(index, name, { layer, feed, outputs, weights }, form) {
  const { symbols, tensors } = feed;
  const isSequential = form === 'sequential';
  const model = isSequential
    ? new mf.Sequential([symbols[0], layer])
    : new mf.Model({ inputs: symbols, outputs: listOf(outputs) });
  if (weights) model.setWeights(weights);
  const file = `${String(index.length).padStart(4, '0')}.keras`;
  const predicted = model.predict(isSequential ? tensors[0] : tensors, { batchSize: 0 });
  writeFileSync(`${folder}/${file}`, await model.save());
  index.push({
    file,
    name,
    form,
    inputs: tensors.map(plain),
    outputs: listOf(predicted).map(plain),
  });
}

await mf.ready({ onMaskDropped: 'silent' });
mkdirSync(folder, { recursive: true });
const index = [];
const problems = [];
const attempt = async (name, run) => {
  try {
    await run();
  } catch (error) {
    problems.push(`${name}: ${error.name}: ${error.message}`.slice(0, 300));
  }
};
const fixtures = fileURLToPath(new URL('../fixtures/layers/', import.meta.url));
const seen = new Set();
for (const family of readdirSync(fixtures)) {
  const { cases } = JSON.parse(
    readFileSync(fixtures + family, 'utf8').replaceAll(/\b(NaN|-?Infinity)\b/g, 'null'),
  );
  for (const testCase of cases) {
    const shapes = testCase.inputs?.map(({ shape }) => shape);
    const key = JSON.stringify([
      testCase.layer,
      shapes,
      testCase.arg,
      Object.keys(testCase.call ?? {}),
    ]);
    if (!testCase.layer || seen.has(key) || testCase.layer.class_name.endsWith('Cell')) continue;
    seen.add(key);
    const name = `${family} ${testCase.name}`;
    await attempt(name, async () => {
      const model = modelOfCase(testCase);
      if (model) await save(index, name, model, 'functional');
    });
    if (random() < 0.1 && testCase.arg === 'single' && Object.keys(testCase.call).length === 0) {
      await attempt(name, async () => {
        const model = modelOfCase(testCase);
        if (model) await save(index, name, model, 'sequential');
      });
    }
  }
}
for (const [i, create] of others.entries()) {
  for (const form of ['functional', 'sequential']) {
    await attempt(`other ${i}`, () => save(index, `other ${i}`, modelOfOther(create), form));
  }
}
writeFileSync(`${folder}/index.json`, JSON.stringify(index));
console.log(`${index.length} models saved; not saved: ${problems.length}\n${problems.join('\n')}`);
