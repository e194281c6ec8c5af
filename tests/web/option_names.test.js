// SPDX-License-Identifier: MIT
// An unknown option throws an error that names the nearest known one.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as mf from '../../dist/index.js';

await assert.rejects(mf.ready({ onMaskDrop: 'error' }), {
  name: 'ConfigError',
  message:
    "unknown option 'onMaskDrop' (did you mean 'onMaskDropped'?); the options are variant, wasm, threads, maskPropagation, onMaskDropped, seed, maxBytes, signal",
});
await mf.ready();

const { Input, layers, Layer, ops, Sequential, tensor } = mf;
const model = new Sequential([Input({ shape: [null, 1] }), layers.gru({ units: 1 })]);
const x = [[[1]]];
class Own extends Layer {}
const json = JSON.stringify(model);

/** Pairs of calls: with a wrong option name, and with the correct one. */
const calls = {
  'tensor()': [() => tensor([1], { dype: 'int32' }), 'dtype'],
  'padSequences()': [() => mf.padSequences([[1]], { maxLen: 3 }), 'maxlen'],
  'Input()': [() => Input({ batch_shape: [1] }), 'batchShape'],
  'new Sequential()': [() => new Sequential([], { nme: 'a' }), 'name'],
  'registerLayer()': [() => mf.registerLayer(Own, { pakage: 'Mine' }), 'package'],
  'addWeight()': [
    () => new Own().addWeight({ name: 'w', shape: [1], initialiser: 'ones' }),
    'initializer',
  ],
  'summary()': [() => model.summary({ prnt: null }), 'print'],
  'stream()': [() => model.stream({ batchsize: 1 }), 'batchSize'],
  'step()': [() => model.stream().step([[1]], { maks: true }), 'mask'],
  'evaluate()': [() => model.evaluate(x, [[1]], { los: 'mse' }), 'loss'],
  'updateState()': [
    () => new mf.Metric('mse').updateState([1], [1], { sampleWeights: [1] }),
    'sampleWeight',
  ],
  'quantize()': [() => model.quantize('int8', { sample: x }), 'samples'],
  'loadModel()': [() => mf.loadModel(json, { weight: null }), 'weights'],
  'loadWeights()': [() => model.loadWeights(new Uint8Array(1), { by_name: true }), 'byName'],
  'verify()': [() => mf.verify(model, {}, { relativ: 1 }), 'relative'],
};

/** The core checks the names of these settings and arguments. */
const { losses, metrics, Metric } = mf;
const data = tensor([[[1]]]);
const inCore = {
  'an op': [() => ops.sum(data, { axes: 1 }), 'axis'],
  'an op as a method': [() => data.softmax({ axs: 1 }), 'axis'],
  'an op of a symbol': [() => Input({ shape: [2] }).mean({ keepdim: true }), 'keepdims'],
  'a loss': [() => losses.huber([[0]], [[3]], { dellta: 2 }), 'delta'],
  'a metric': [() => metrics.auc({ numThreshold: 10 }), 'num_thresholds'],
  'the name of a metric': [() => new Metric('acuracy'), 'accuracy'],
  'the name of a loss': [
    () => model.evaluate(x, [[1]], { loss: 'mean_square_error' }),
    'mean_squared_error',
  ],
  'a choice': [() => metrics.auc({ curve: 'PRR' }), 'PR'],
  'a call': [() => model.layers[0].apply(data, { initalState: [data] }), 'initial_state'],
  'a call of any layer': [() => model.apply(data, { trainig: true }), 'training'],
};

suite('a name that the core does not know', () => {
  for (const [title, [call, meant]] of Object.entries(inCore)) {
    test(`is corrected in ${title}`, () => {
      assert.throws(call, (error) => {
        assert.ok(error instanceof mf.ConfigError || error instanceof mf.ValueError, error.name);
        assert.ok(error.message.includes(` (did you mean '${meant}'?)`), error.message);
        return true;
      });
    });
  }
});

suite('a misspelt option', () => {
  for (const [title, [call, meant]] of Object.entries(calls)) {
    test(`is corrected by ${title}`, async () => {
      await assert.rejects(
        async () => call(),
        (error) => {
          assert.ok(error instanceof mf.ConfigError, String(error));
          assert.match(error.message, new RegExp(`\\(did you mean '${meant}'\\?\\)`));
          return true;
        },
      );
    });
  }

  test('gets no suggestion if it resembles no known one', () => {
    assert.throws(() => tensor([1], { verbose: 1 }), {
      name: 'ConfigError',
      message: "unknown option 'verbose'; the options are dtype, shape, data",
    });
  });

  test('members of Object.prototype are not options', () => {
    assert.throws(() => tensor([1], { constructor: 1 }), mf.ConfigError);
    assert.throws(() => tensor([1], { '(': 1 }), mf.ConfigError);
  });

  test('settings of layers, ops and losses, and arguments of calls, are checked by the core', () => {
    for (const call of [
      () => layers.dense({ units: 1, usebias: true }),
      () => ops.sum([1], { axs: 1 }),
      () => mf.losses.huber([1], [1], { dleta: 1 }),
      () => layers.gru({ units: 1 }).apply(x, { initalState: tensor([[1]]) }),
      () => model.predict(x, { masks: 1 }),
      () => model.traceMasks(x, { maskOperation: true }),
    ]) {
      assert.throws(call, /has no (setting|argument) /);
    }
  });
});
