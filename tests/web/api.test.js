// SPDX-License-Identifier: MIT
// The public API has exactly these names, and each is of the expected kind.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { before, test } from 'node:test';

import * as mf from '../../dist/index.js';
import { layersByClass } from '../support/recorded_layers.js';

// A plain object, because the tests look exports up by names that are only known at run time.
const api = { ...mf };

before(() => mf.ready());

const functions =
  `ready restart runtimeInfo memory tensor padSequences registerFunction registerLayer deserializeLayer serializeLayer
  Input keep tidy loadModel storedModels clearStoredModels verify writeSkeleton`.split(/\s+/);
const classes = [
  ...`Tensor Variable Layer Lambda Model Sequential Metric ValueMetric MaskflowError ShapeError
    ValueError ConfigError FormatError StateError UnsupportedError`.split(/\s+/),
  ...layersByClass.keys(),
];
const objects = ['initializers', 'layers', 'losses', 'metrics', 'ops', 'random', 'regularizers'];

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
  Tensor: `shape dtype rank size isSymbolic isDisposed mask withMask read data array item toString toJSON dispose`,
  Layer: `apply applyWithMask call computeMask computeOutputShape build getConfig weights trainableWeights
    nonTrainableWeights getWeights setWeights addWeight countParams resetState resetStates name className built
    trainable supportsMasking stateful toJSON dispose`,
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

const layerClasses = ['Lambda', ...layersByClass.keys()];
const configOf = (className) =>
  className === 'Lambda' ? { function: (x) => x } : layersByClass.get(className).config;

test('layers.<name>(config) is new <Class>(config) for every layer class', () => {
  const factories = new Map(
    Object.entries(mf.layers).map(([name, make]) => [name.toLowerCase(), make]),
  );
  for (const className of layerClasses) {
    const make = factories.get(className.toLowerCase());
    assert.ok(make, `layers has a function for ${className}`);
    const layer = make(configOf(className));
    assert.ok(layer instanceof mf.Layer);
    assert.equal(layer.className, className);
    assert.equal(layer.constructor, api[className]);
    assert.equal(new api[className](configOf(className)).className, className);
  }
  assert.equal(factories.size, layerClasses.length);
});

test('every layer except Lambda survives getConfig → fromConfig and serialize → deserialize', () => {
  for (const name of layersByClass.keys()) {
    const layer = new api[name](configOf(name));
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
