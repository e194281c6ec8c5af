// SPDX-License-Identifier: MIT
// A Sequential model reads its input's shape from the config of its first layer.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as mf from '../../dist/index.js';

await mf.ready({ onMaskDropped: 'silent' });
const { layers } = mf;

const inputOf = (model) => model.getConfig().layers[0];

test('batchInputShape and inputShape create an InputLayer, and the weights at once', () => {
  for (const shape of [{ batchInputShape: [null, 4] }, { inputShape: [4] }, { input_shape: [4] }]) {
    const model = new mf.Sequential([
      layers.dense({ units: 3, ...shape }),
      layers.dense({ units: 2 }),
    ]);
    assert.deepEqual(
      model.weights.map((weight) => weight.shape),
      [[4, 3], [3], [3, 2], [2]],
    );
    assert.equal(inputOf(model).class_name, 'InputLayer');
    assert.deepEqual(inputOf(model).config.batch_shape, [null, 4]);
    assert.equal('input_shape' in model.getConfig().layers[1].config, false);
    assert.deepEqual(mf.Model.fromConfig(model.getConfig()).inputs[0].shape, [null, 4]);
    assert.deepEqual(
      model.layers.map(({ className }) => className),
      ['Dense', 'Dense'],
    );
  }
});

test('works for ids (int32), a fixed batch, a wrapper and a custom layer', () => {
  const words = layers.embedding({ inputDim: 9, outputDim: 2, inputShape: [null] });
  assert.equal(inputOf(new mf.Sequential([words])).config.dtype, 'int32');
  const fixed = new mf.Sequential([layers.lstm({ units: 2, batchInputShape: [2, 5, 3] })]);
  assert.deepEqual(fixed.inputs[0].shape, [2, 5, 3]);
  const bidirectional = layers.bidirectional({
    layer: layers.gru({ units: 2 }),
    inputShape: [5, 3],
  });
  assert.deepEqual(new mf.Sequential([bidirectional]).outputs[0].shape, [null, 4]);
  class Own extends mf.Layer {
    call(x) {
      return mf.ops.multiply(x, 2);
    }
  }
  assert.deepEqual(new mf.Sequential([new Own({ inputShape: [3] })]).inputs[0].shape, [null, 3]);
});

test("only the first layer's shape counts; an Input before it wins", () => {
  const model = new mf.Sequential([
    mf.Input({ shape: [4] }),
    layers.dense({ units: 3, inputShape: [4] }),
    layers.dense({ units: 2, inputShape: [3] }),
  ]);
  assert.deepEqual(
    model.getConfig().layers.map((layer) => layer.class_name),
    ['InputLayer', 'Dense', 'Dense'],
  );
});

test('invalid shapes are refused', () => {
  for (const inputShape of [4, 'abc', [-1], [1.5], [{}]]) {
    assert.throws(
      () => new mf.Sequential([layers.dense({ units: 3, inputShape })]),
      mf.MaskflowError,
    );
  }
});
