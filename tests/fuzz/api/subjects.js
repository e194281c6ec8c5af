// SPDX-License-Identifier: MIT
// The functions and objects to call: all exports of the entries, and objects created with them.
import * as mf from '../../../dist/index.js';
import * as recurrent from '../../../dist/recurrent.js';
import * as text from '../../../dist/text.js';
import { pick } from '../../support/random.js';
import { argumentsOf, configOf, innerLayer, internalNames, tensorLike } from './plausible.js';
import { anyFunction, customLayer } from './values.js';

const { Input, layers, Model, ops, Sequential, tensor } = mf;

/**
 * Returns the exported functions of a module that can be called directly. {@link workerSubjects}
 * handles maskflow/worker.
 */
function functionsOf(module, prefix = '') {
  return Object.entries(module).flatMap(([name, value]) => {
    if (typeof value === 'function') return [{ name: prefix + name, key: name, value, module }];
    return typeof value === 'object' ? functionsOf(value, `${prefix}${name}.`) : [];
  });
}
export const functions = [mf, mf, recurrent, text].flatMap((module) => functionsOf(module));

const model = () => new Sequential([Input({ shape: [3, 4] }), layers.lstm({ units: 2 })]);
function functional() {
  const a = Input({ shape: [3, 4], name: 'a' });
  const b = Input({ shape: [3, 4], name: 'b' });
  const sum = layers.add().apply([layers.masking().apply(a), b]);
  return new Model({
    inputs: { a, b },
    outputs: { sum, last: layers.gru({ units: 2 }).apply(sum) },
  });
}
class Own extends Model {
  inner = layers.dense({ units: 2 });
  call(inputs, options) {
    return this.inner.apply(inputs, { mask: options?.mask });
  }
}
class Weighted extends mf.Layer {
  constructor(config) {
    super(config);
    this.scale = this.addWeight({ name: 'scale', shape: [1], initializer: 'ones' });
  }
  call(inputs) {
    return ops.multiply(inputs, this.scale);
  }
}
const factories = Object.keys(layers);

/** Functions that create objects whose methods are then called. */
const makers = [
  (random, made) => ops.add(tensorLike(random, made), 1),
  () =>
    tensor([
      [1, 2],
      [3, 4],
    ]),
  (random, made) => {
    const name = pick(random, factories);
    const Class = Object.keys(mf).find((key) => key.toLowerCase() === name.toLowerCase());
    return layers[name](configOf(random, made, Class));
  },
  (random, made) => innerLayer(random, made),
  (random, made) => customLayer(random, made),
  model,
  functional,
  () => new Own(),
  () => new Weighted(),
  (_, made) => keep(made, new Weighted()).scale,
  (random, made) => new Sequential([innerLayer(random, made), innerLayer(random, made)]),
  () => new Sequential(),
  (_, made) => {
    const runs = model();
    made.push(runs);
    return runs.stream();
  },
  (random) => pick(random, Object.values(mf.metrics))(),
  () => new text.StringLookup({ vocabulary: ['a', 'b'] }),
  () => new text.IntegerLookup({ numOovIndices: 2 }),
  () => new text.Hashing({ numBins: 3, maskValue: 'a' }),
  () => new text.HashedCrossing({ numBins: 3 }),
  () => new text.TextVectorization({ vocabulary: ['the', 'cat'] }),
  () => layers.discretization({ numBins: 3 }),
  () => layers.normalization(),
  () => mf.keep(tensor([1, 2], { dtype: 'int32' })),
];

/** Returns an object with methods; null if creating it was refused. */
export function subject(random, made) {
  const thing = pick(random, makers)(random, made);
  if (typeof thing !== 'object') return null;
  made.push(thing);
  return thing;
}

const internal = internalNames();

/** Returns all public methods, getters and setters of an object's classes. */
export function membersOf(thing) {
  const members = [];
  for (
    let p = Object.getPrototypeOf(thing);
    p && p !== Object.prototype;
    p = Object.getPrototypeOf(p)
  ) {
    for (const [key, what] of Object.entries(Object.getOwnPropertyDescriptors(p))) {
      if (
        key !== 'constructor' &&
        !internal.has(key) &&
        (what.get || what.set || typeof what.value === 'function')
      )
        members.push({ key, what });
    }
  }
  return members;
}

const keep = (made, thing) => {
  made.push(thing);
  return thing;
};
const x = (random, made) =>
  random() < 0.7 ? keep(made, ops.ones([2, 3, 4])) : tensorLike(random, made);
const y = (made) => keep(made, ops.zeros([2, 2]));
const named = (random, made) => ({ a: x(random, made), b: x(random, made) });
const inputs = (random, made, thing) =>
  thing instanceof Model && thing.name?.startsWith('functional')
    ? named(random, made)
    : x(random, made);
const silent = { print: null };

/** Arguments of methods and functions that cannot be derived from types. */
const table = {
  apply: (r, m, thing) =>
    'getVocabulary' in thing
      ? [pick(r, [['a b', 'z'], [[1, 2]], 'the'])]
      : [inputs(r, m, thing), { training: false }],
  applyWithMask: (r, m, thing) => [
    inputs(r, m, thing),
    {
      mask: [
        [true, false, true],
        [true, true, true],
      ],
    },
  ],
  call: (r, m, thing) => [inputs(r, m, thing), { mask: null, training: null }],
  computeMask: (r, m, thing) => [inputs(r, m, thing), null],
  computeOutputShape: () => [[null, 3, 4]],
  build: () => [[null, 3, 4]],
  addWeight: () => [{ name: 'w', shape: [2, 2], initializer: 'zeros', trainable: false }],
  setWeights: (_r, m, thing) => [m.at(-1) === thing ? (thing.getWeights?.() ?? []) : []],
  predict: (r, m, thing) => [inputs(r, m, thing), { batchSize: 1 }],
  evaluate: (r, m, thing) => [
    inputs(r, m, thing),
    y(m),
    { loss: 'mse', metrics: ['mae'], sampleWeight: [1, 2] },
  ],
  traceMasks: (r, m, thing) => [inputs(r, m, thing), { maskOperations: true }],
  stream: () => [{ batchSize: 1 }],
  step: (r, m) => [
    pick(r, [
      () => new Float32Array(4),
      () => keep(m, ops.ones([1, 4])),
      () => new Float32Array(8),
    ])(),
    { mask: true },
  ],
  profile: (r, m, thing) => [inputs(r, m, thing), { repeats: 1 }],
  summary: () => [silent],
  loadWeights: (r) => [
    pick(r, [new Uint8Array(4), '/nowhere.weights.h5', { files: [] }]),
    { byName: true },
  ],
  quantize: (r, m, thing) => [
    'int8',
    { samples: inputs(r, m, thing), activations: 'int8', call: {} },
  ],
  save: () => [],
  saveTfjs: () => [],
  saveWeights: () => [],
  getLayer: () => [0],
  withMask: () => [[[true, false]]],
  read: (r, m) => [anyFunction(r, m)],
  add: (r, m) => [innerLayer(r, m)],
  setVocabulary: () => [['x', 'y']],
  adapt: (r, m, thing) => ['getVocabulary' in thing ? [['a', 'b']] : x(r, m)],
  updateState: (_r, m) => [y(m), y(m), { sampleWeight: [1, 2] }],
  fromConfig: (r) => [
    pick(r, [
      { units: 2 },
      { name: 'n', layers: [{ class_name: 'Dense', config: { units: 1 } }] },
      '{"layers":[]}',
    ]),
  ],
  tensor: () => [
    [
      [1, 2],
      [3, 4],
    ],
    { dtype: 'float32', shape: [2, 2] },
  ],
  padSequences: () => [
    [[1, 2, 3], [4]],
    { maxlen: 2, dtype: 'int32', padding: 'post', truncating: 'pre', value: 0 },
  ],
  Input: () => [{ shape: [null, 4], batchSize: 2, dtype: 'float32', name: 'in' }],
  Model: (_r, m) => {
    const a = keep(m, Input({ shape: [3, 4] }));
    return [{ inputs: a, outputs: keep(m, layers.dense({ units: 1 }).apply(a)), name: 'mine' }];
  },
  Sequential: (r, m) => [[innerLayer(r, m)], { name: 'seq' }],
  Lambda: (r, m) => [{ function: anyFunction(r, m), mask: anyFunction(r, m), outputShape: [2] }],
  lambda: (r, m) => [
    { function: anyFunction(r, m), mask: anyFunction(r, m), outputShape: anyFunction(r, m) },
  ],
  Metric: () => ['auc', { numThresholds: 5, name: 'auc' }],
  Tensor: () => [],
  Variable: () => [],
  ready: () => [
    { variant: 'auto', maskPropagation: 'keras-3.15', onMaskDropped: 'silent', seed: 1 },
  ],
  loadModel: (r) => [
    pick(r, [
      new Uint8Array([80, 75, 3, 4]),
      '/nowhere.keras',
      { files: [{ name: 'model.json', data: new Uint8Array(3) }] },
    ]),
    { customObjects: {} },
  ],
  registerLayer: () => [Weighted, { package: 'Fuzz', name: 'Weighted' }],
  deserializeLayer: () => [{ class_name: 'Dense', config: { units: 2, name: 'd' } }],
  serializeLayer: (r, m) => [innerLayer(r, m)],
  keep: (_r, m) => [keep(m, tensor([1]))],
  tidy: (r, m) => [anyFunction(r, m)],
  verify: (_r, m) => [
    keep(m, model()),
    { inputs: [[[[1, 2, 3, 4]]]], outputs: [[[1, 2]]] },
    { absolute: 1 },
  ],
  StringLookup: () => [
    { vocabulary: ['a'], maxTokens: 5, numOovIndices: 1, maskToken: '', outputMode: 'multi_hot' },
  ],
  Hashing: () => [{ numBins: 4, salt: [1, 2], maskValue: 0, outputMode: 'count' }],
  HashedCrossing: () => [{ numBins: 4, outputMode: 'one_hot' }],
  IntegerLookup: () => [{ vocabulary: [1, 2], invert: false, outputMode: 'int' }],
  TextVectorization: (r, m) => [
    { standardize: anyFunction(r, m), split: 'character', ngrams: 2, outputSequenceLength: 3 },
  ],
};

/** Returns valid arguments of a call. */
export function rightArguments(random, made, { key, module, thing }) {
  if (table[key] && Object.hasOwn(table, key)) return table[key](random, made, thing);
  if (module === mf.ops) return argumentsOf(random, made, key);
  if (module === mf.losses)
    return [y(made), y(made), { mask: [true, false], sampleWeight: [1, 2], reduction: 'sum' }];
  if (module === mf.metrics)
    return [{ name: 'm', ...(random() < 0.2 && { numThresholds: 4, k: 2 }) }];
  const Class = Object.keys(mf).find((name) => name.toLowerCase() === key.toLowerCase());
  if (Class) return [configOf(random, made, Class)];
  return [];
}
