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

/** A model with one known input. */
const modelOf = (kind, shape = [null, 2]) => {
  const input = mf.Input({ shape });
  const dense = layers.dense({ units: 4 });
  if (kind === 'Sequential') return new mf.Sequential([input, dense]);
  return new mf.Model({ inputs: input, outputs: dense.apply(input) });
};
class Outer extends mf.Layer {
  inner = layers.gru({ units: 2, returnSequences: true });
  call(x) {
    return this.inner.apply(x);
  }
}

for (const kind of ['Sequential', 'Functional']) {
  test(`layers after a ${kind} model with a known input are built at once, as in Keras`, () => {
    const outer = new Outer();
    const model = new mf.Sequential([modelOf(kind), outer]);
    assert.deepEqual(model.outputs[0].shape, [null, null, 2]);
    assert.equal(outer.inner.trainableWeights.length, 3);
    assert.equal(model.trainableWeights.length, 5);
    assert.equal(model.built, true);
    model.add(layers.dense({ units: 1 }));
    assert.equal(model.trainableWeights.length, 7);
  });

  test(`a layer that does not fit after a ${kind} model is refused at once`, () => {
    const wrong = layers.conv1D({ filters: 1, kernelSize: 1 });
    assert.throws(() => new mf.Sequential([modelOf(kind, [2]), wrong]), mf.ShapeError);
  });
}

test('a Sequential is built after its first model only if that has one known input', () => {
  const alone = new mf.Sequential([modelOf('Functional')]);
  assert.equal(alone.built, false);
  const deferred = new mf.Sequential([layers.dense({ units: 2 })]);
  const after = new mf.Sequential([deferred, layers.dense({ units: 2 })]);
  assert.equal(after.trainableWeights.length, 0);
  deferred.apply(mf.ops.ones([1, 3]));
  after.add(layers.dense({ units: 1 }));
  assert.equal(after.trainableWeights.length, 6);
  const inputs = [0, 1].map(() => mf.Input({ shape: [2] }));
  const two = new mf.Model({ inputs, outputs: layers.add().apply(inputs) });
  const dense = layers.dense({ units: 2 });
  assert.equal(new mf.Sequential([two, dense]).built, false);
  assert.equal(dense.built, false);
});

test('a Sequential is built after a model of ids, and computes with ids', () => {
  const ids = mf.Input({ shape: [null], dtype: 'int32' });
  const embedding = layers.embedding({ inputDim: 5, outputDim: 2, maskZero: true });
  const first = new mf.Model({ inputs: ids, outputs: embedding.apply(ids) });
  const gru = layers.gru({ units: 2 });
  const model = new mf.Sequential([first, gru]);
  assert.equal(model.trainableWeights.length, 4);
  const batch = mf.tensor([[1, 4, 0]], { dtype: 'int32' });
  const expected = gru.apply(first.apply(batch));
  assert.deepEqual(model.apply(batch).data(), expected.data());
  assert.deepEqual(model.predict([[1, 4, 0]]).data(), expected.data());
});
