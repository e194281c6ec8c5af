// SPDX-License-Identifier: MIT
// The public API has exactly these names, and each is of the expected kind.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { before, test } from 'node:test';
import * as mf from '../../dist/index.js';

// The names below are looked up as text.
const api = { ...mf };

before(() => mf.ready());

const functions =
  `ready restart runtimeInfo memory tensor padSequences registerLayer deserializeLayer serializeLayer
  Input keep tidy loadModel verify`.split(/\s+/);
const classes =
  `Tensor Variable Layer Lambda Model Sequential Metric ValueMetric MaskflowError ShapeError ValueError ConfigError FormatError
  StateError UnsupportedError Activation ActivityRegularization AdaptiveAveragePooling1D AdaptiveMaxPooling1D Add
  AdditiveAttention AlphaDropout Attention Average AveragePooling1D BatchNormalization Bidirectional CategoryEncoding
  Concatenate Conv1D Conv1DTranspose ConvLSTM1D Cropping1D Dense DepthwiseConv1D Discretization Dot Dropout ELU
  EinsumDense Embedding Flatten GRU GRUCell GaussianDropout GaussianNoise GlobalAveragePooling1D GlobalMaxPooling1D
  GroupNormalization GroupQueryAttention Identity LSTM LSTMCell LayerNormalization LeakyReLU Masking MaxPooling1D
  Maximum Minimum MultiHeadAttention Multiply Normalization PReLU Permute RMSNormalization RNN ReLU RepeatVector
  Rescaling Reshape ReversibleEmbedding SeparableConv1D SimpleRNN SimpleRNNCell Softmax SpatialDropout1D
  SpectralNormalization StackedRNNCells Subtract ThresholdedReLU TimeDistributed UnitNormalization UpSampling1D
  ZeroPadding1D`.split(/\s+/);
const objects = ['layers', 'losses', 'metrics', 'ops'];

test('exports exactly these names', () => {
  assert.deepEqual(Object.keys(mf).sort(), [...functions, ...classes, ...objects].sort());
  const isClass = (f) => /^class\b/.test(Function.prototype.toString.call(f));
  for (const name of functions) assert.ok(!isClass(api[name]), `${name} is a function`);
  for (const name of classes) assert.ok(isClass(api[name]), `${name} is a class`);
});

test('CommonJS has the same exports', () => {
  const commonjs = createRequire(import.meta.url)('../../dist/index.cjs');
  assert.deepEqual(Object.keys(commonjs).sort(), Object.keys(mf).sort());
});

const members = {
  Tensor: `shape dtype rank size isSymbolic isDisposed mask withMask read data array item toString dispose`,
  Layer: `apply applyWithMask call computeMask computeOutputShape build getConfig weights trainableWeights
    nonTrainableWeights getWeights setWeights addWeight countParams resetState resetStates name className built
    trainable supportsMasking stateful dispose`,
  Model:
    'layers getLayer inputs outputs predict predictAsync traceMasks summary toJSON save saveWeights saveTfjs loadWeights',
  Sequential: 'add pop',
};

for (const [name, list] of Object.entries(members)) {
  test(`${name} has its methods and properties`, () => {
    const has = (member) => Object.hasOwn(api[name].prototype, member);
    assert.deepEqual(
      list.split(/\s+/).filter((member) => !has(member)),
      [],
    );
    const disposable = api[name].prototype[Symbol.dispose];
    assert.equal(typeof disposable, 'function', 'works with `using`');
  });
}

const settings = {
  activation: { activation: 'relu' },
  adaptiveAveragePooling1D: { outputSize: 2 },
  adaptiveMaxPooling1D: { outputSize: 2 },
  alphaDropout: { rate: 0.1 },
  categoryEncoding: { numTokens: 3 },
  conv1DTranspose: { filters: 2, kernelSize: 1 },
  convLSTM1D: { filters: 2, kernelSize: 1 },
  depthwiseConv1D: { kernelSize: 1 },
  discretization: { binBoundaries: [0, 1] },
  dot: { axes: 1 },
  einsumDense: { equation: 'ab,bc->ac', outputShape: 2 },
  gaussianDropout: { rate: 0.1 },
  gaussianNoise: { stddev: 0.1 },
  groupQueryAttention: { headDim: 2, numQueryHeads: 4, numKeyValueHeads: 2 },
  multiHeadAttention: { numHeads: 2, keyDim: 2 },
  permute: { dims: [2, 1] },
  repeatVector: { n: 2 },
  rescaling: { scale: 0.5 },
  reshape: { targetShape: [-1] },
  separableConv1D: { filters: 2, kernelSize: 1 },
  spatialDropout1D: { rate: 0.1 },
  spectralNormalization: () => ({ layer: mf.layers.dense({ units: 2 }) }),
  bidirectional: () => ({ layer: mf.layers.lstm({ units: 2 }) }),
  conv1D: { filters: 2, kernelSize: 1 },
  dense: { units: 2 },
  dropout: { rate: 0.1 },
  embedding: { inputDim: 3, outputDim: 2 },
  gru: { units: 2 },
  gruCell: { units: 2 },
  lambda: { function: (x) => x },
  lstm: { units: 2 },
  lstmCell: { units: 2 },
  reversibleEmbedding: { inputDim: 3, outputDim: 2 },
  rnn: () => ({ cell: mf.layers.gruCell({ units: 2 }) }),
  simpleRNN: { units: 2 },
  simpleRNNCell: { units: 2 },
  stackedRNNCells: () => ({ cells: [mf.layers.gruCell({ units: 2 })] }),
  timeDistributed: () => ({ layer: mf.layers.dense({ units: 2 }) }),
};
const settingsOf = (name) => {
  const setting = settings[name] ?? {};
  return typeof setting === 'function' ? setting() : setting;
};

test('layers.<name>(config) is new <Class>(config) for every layer class', () => {
  const classNames = Object.entries(mf.layers).map(([name, make]) => {
    const layer = make(settingsOf(name));
    assert.ok(layer instanceof mf.Layer);
    assert.equal(layer.constructor, api[layer.className], name);
    assert.equal(new api[layer.className](settingsOf(name)).className, layer.className);
    return layer.className;
  });
  const concrete = classes.filter(
    (name) => api[name].prototype instanceof mf.Layer && !['Model', 'Sequential'].includes(name),
  );
  assert.deepEqual(classNames.sort(), concrete.sort());
});

test('every layer except Lambda survives getConfig → fromConfig and serialize → deserialize', () => {
  for (const [name, make] of Object.entries(mf.layers)) {
    if (name === 'lambda') continue;
    const layer = make(settingsOf(name));
    const config = layer.getConfig();
    assert.deepEqual(layer.constructor.fromConfig(config).getConfig(), config, name);
    const serialized = JSON.parse(JSON.stringify(mf.serializeLayer(layer)));
    assert.equal(serialized.class_name, layer.className);
    assert.deepEqual(serialized.config, config);
    const copy = mf.deserializeLayer(serialized);
    assert.equal(copy.constructor, layer.constructor);
    assert.deepEqual(copy.getConfig(), config);
  }
});

test('configs are accepted in camelCase and snake_case, and returned in snake_case', () => {
  const camel = new mf.LSTM({
    units: 2,
    returnSequences: true,
    zeroOutputForMask: true,
    name: 'a',
  });
  const snake = new mf.LSTM({
    units: 2,
    return_sequences: true,
    zero_output_for_mask: true,
    name: 'a',
  });
  assert.deepEqual(camel.getConfig(), snake.getConfig());
  assert.equal(camel.getConfig().return_sequences, true);
  assert.ok(Object.keys(camel.getConfig()).every((key) => key === key.toLowerCase()));
});

test('class names that users see are the same in minified code', () => {
  assert.equal(new mf.Lambda({ function: (x) => x }).className, 'Lambda');
  assert.equal(new mf.MaskflowError('value', 'm').name, 'MaskflowError');
  class Mine extends mf.MaskflowError {}
  class Doubled extends mf.Lambda {}
  assert.equal(new Mine('value', 'm').name, 'Mine');
  assert.equal(new Doubled({ function: (x) => x }).className, 'Doubled');
});

test('each error class has its kind', () => {
  const kinds = {
    ShapeError: 'shape',
    ValueError: 'value',
    ConfigError: 'config',
    FormatError: 'format',
    StateError: 'state',
    UnsupportedError: 'unsupported',
  };
  for (const [name, kind] of Object.entries(kinds)) {
    const error = new api[name]('m');
    assert.ok(error instanceof mf.MaskflowError && error instanceof Error);
    assert.deepEqual([error.name, error.kind, error.message], [name, kind, 'm']);
  }
});

test('streams', () => {
  const input = mf.Input({ shape: [null, 2] });
  const model = new mf.Sequential([input, mf.layers.lstm({ units: 3 })]);
  const s = model.stream();
  const y = s.step([[1, 2]]);
  assert.deepEqual(y.shape, [1, 3]);
  const state = s.state;
  const clone = s.clone();
  s.reset();
  s.state = state;
  assert.deepEqual(s.step([[3, 4]]).data(), clone.step([[3, 4]]).data());
});
