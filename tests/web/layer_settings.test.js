// SPDX-License-Identifier: MIT
// Settings and weights of layers as properties.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as mf from '../../dist/train.js';

await mf.ready();
const { Dense, Input, Layer, layers, LSTM, Model, ops, StateError, Variable } = mf;
const camel = (key) => key.replace(/_([a-z0-9])/g, (_, letter) => letter.toUpperCase());
const other = /^(name|trainable|dtype|weights|cells?|(.*_)?layer)$/;

const examples = [
  layers.dense({ units: 2, activation: 'hardSigmoid' }),
  layers.lstm({ units: 3, returnSequences: true, unitForgetBias: false }),
  layers.embedding({ inputDim: 5, outputDim: 2, maskZero: true }),
  layers.conv1D({ filters: 4, kernelSize: 3, dilationRate: 2, kernelRegularizer: 'l2' }),
  layers.batchNormalization({ momentum: 0.5 }),
  layers.multiHeadAttention({ numHeads: 2, keyDim: 4 }),
  layers.bidirectional({ layer: layers.gru({ units: 2 }), mergeMode: 'sum' }),
  layers.adaptiveMaxPooling1D({ outputSize: 2 }),
  layers.dropout({ rate: 0.25 }),
  layers.rnn({ cell: layers.gruCell({ units: 2 }), stateful: true }),
];

test('each setting of a config is a property', () => {
  for (const layer of examples) {
    for (const [key, value] of Object.entries(layer.getConfig())) {
      if (other.test(key)) continue;
      assert.deepEqual(layer[camel(key)], value, `${layer.className}.${camel(key)}`);
    }
  }
});

test('properties of layers are not those of the objects', () => {
  assert.ok(!Object.keys(layers.dense({ units: 2 })).includes('units'));
  assert.equal(layers.dropout({ rate: 0.5 }).units, undefined);
});

test('weights have the names of Keras and are the trainable variables', () => {
  const dense = layers.dense({ units: 2 });
  assert.equal(dense.kernel, null);
  dense.build([null, 3]);
  assert.ok(dense.kernel instanceof Variable);
  assert.equal(dense.kernel, dense.trainableVariables[0]);
  assert.equal(dense.bias, dense.trainableVariables[1]);
  dense.kernel.assign(ops.ones([3, 2]));
  assert.deepEqual([...dense.getWeights()[0].data()], [1, 1, 1, 1, 1, 1]);
  const lstm = layers.lstm({ units: 2, useBias: false });
  lstm.build([null, 4, 3]);
  assert.deepEqual(lstm.recurrentKernel.shape, [2, 8]);
  assert.equal(lstm.bias, null);
  const normalization = layers.batchNormalization();
  normalization.build([null, 3]);
  assert.deepEqual([...normalization.movingVariance.value.data()], [1, 1, 1]);
  const attention = layers.multiHeadAttention({ numHeads: 1, keyDim: 2 });
  attention.build([
    [null, 4, 3],
    [null, 4, 3],
  ]);
  assert.equal(attention.kernel, null);
});

test('an assigned setting counts for the next call, and is in the config', () => {
  const dense = layers.dense({ units: 2, activation: 'relu', kernelInitializer: 'ones' });
  const x = mf.tensor([[-1, -2]]);
  assert.deepEqual([...dense.apply(x).data()], [0, 0]);
  dense.activation = 'linear';
  assert.deepEqual([...dense.apply(x).data()], [-3, -3]);
  assert.equal(dense.getConfig().activation, 'linear');
  dense.kernelRegularizer = 'l2';
  assert.equal(dense.getConfig().kernel_regularizer, 'l2');

  const lstm = new LSTM({ units: 2 });
  lstm.returnSequences = true;
  lstm.units = 3;
  assert.deepEqual(lstm.apply(ops.ones([1, 4, 2])).shape, [1, 4, 3]);
  lstm.stateful = true;
  assert.equal(lstm.stateful, true);
  lstm.returnSequences = false;
  assert.deepEqual(lstm.apply(ops.ones([1, 4, 2])).shape, [1, 3]);

  const dropout = layers.dropout({ rate: 0.5 });
  dropout.apply(ops.ones([1, 2]));
  dropout.rate = 0.25;
  assert.equal(dropout.rate, 0.25);
});

test('a setting that needs other weights is refused, and changes nothing', () => {
  const dense = layers.dense({ units: 2, name: 'head' });
  const before = dense.apply(ops.ones([1, 3])).data();
  for (const change of [{ units: 5 }, { useBias: false }]) {
    assert.throws(
      () => Object.assign(dense, change),
      (error) => error instanceof StateError && /'head'.*make a new Dense/.test(error.message),
    );
  }
  assert.throws(() => Object.assign(layers.dense({ units: 2 }), { units: -1 }), /units/);
  assert.throws(() => Object.assign(dense, { activation: 'tann' }), /tanh/);
  assert.deepEqual(dense.apply(ops.ones([1, 3])).data(), before);
  assert.equal(dense.units, 2);
  const both = layers.bidirectional({ layer: layers.gru({ units: 2 }) });
  both.mergeMode = 'concat';
  assert.throws(() => Object.assign(both, { mergeMode: 'sum' }), /make a new Bidirectional/);
});

test('classes of users keep fields with these names', () => {
  class Own extends Layer {
    constructor({ units, ...config } = {}) {
      super(config);
      this.units = units;
      this.kernel = 'mine';
      this.activation = (x) => x;
    }
    call(x) {
      return x;
    }
  }
  const own = new Own({ units: 7 });
  assert.deepEqual([own.units, own.kernel, own.activation(2)], [7, 'mine', 2]);
  class Wide extends Dense {
    constructor({ units }) {
      super({ units });
      this.units = units;
      this.kernel = null;
    }
  }
  const wide = new Wide({ units: 3 });
  assert.equal(wide.units, 3);
  assert.deepEqual(wide.apply(ops.ones([1, 2])).shape, [1, 3]);
  const input = Input({ shape: [2] });
  const model = new Model({ inputs: input, outputs: new Wide({ units: 4 }).apply(input) });
  assert.equal(model.layers.at(-1).units, 4);
});
