// SPDX-License-Identifier: MIT
// Copies of models and layers, and a Sequential that is changed after its first call, have the
// weights and the compilation that Keras gives them.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import * as mf from '../../dist/train.js';

before(() => mf.ready());

const { Input, layers, Model, optimizers, Sequential } = mf;
const x = [[1, 2, 3], [0, 1, 0], [2, 0, 1]]; // biome-ignore format: rows
const targets = [[1, 1], [0, 0], [2, 2]]; // biome-ignore format: rows
const sequential = () =>
  new Sequential([Input({ shape: [3] }), layers.dense({ units: 3 }), layers.dense({ units: 2 })]);
function functional() {
  const inputs = Input({ shape: [3] });
  const hidden = layers.dense({ units: 3 }).apply(inputs);
  return new Model({ inputs, outputs: layers.dense({ units: 2 }).apply(hidden) });
}

describe('copies have what Keras gives them', () => {
  const called = () => {
    const model = new Sequential([layers.dense({ units: 3 }), layers.dense({ units: 2 })]);
    model.apply([[1, 2, 3, 4]]);
    return model;
  };
  test('pop, add and cloneModel of a Sequential that a call built', () => {
    const model = called();
    assert.equal(mf.cloneModel(model).weights.length, 4);
    model.pop();
    assert.equal(model.weights.length, 2);
    model.add(layers.dense({ units: 5 }));
    assert.equal(model.weights.length, 4);
    assert.deepEqual(model.outputs[0].shape, [null, 5]);
    assert.equal(mf.cloneModel(model).weights.length, 4);
    assert.deepEqual(model.predict([[1, 2, 3, 4]]).shape, [1, 5]);
  });
  test('a Sequential without layers forgets its inputs', () => {
    const model = called();
    model.pop();
    model.pop();
    model.add(layers.dense({ units: 1 }));
    assert.equal(model.weights.length, 0);
    assert.deepEqual(model.predict([[1, 2]]).shape, [1, 1]);
  });
  test('the clone of a frozen model has the flags of its layers, that of a Sequential its own', () => {
    for (const model of [sequential(), functional()]) {
      model.trainable = false;
      model.layers.at(-1).trainable = true;
      const clone = mf.cloneModel(model);
      const isFrozen = model instanceof Sequential;
      assert.equal(clone.trainable, !isFrozen);
      assert.equal(clone.trainableWeights.length, isFrozen ? 0 : 2);
      assert.equal(clone.layers.at(-1).trainable, true);
      assert.equal(clone.layers.at(-2).trainable, false);
    }
  });
  test('the clone of a frozen model inside of another one is frozen', () => {
    const base = functional();
    base.trainable = false;
    const inputs = Input({ shape: [3] });
    const model = new Model({
      inputs,
      outputs: layers.dense({ units: 1 }).apply(base.apply(inputs)),
    });
    const clone = mf.cloneModel(model);
    assert.equal(clone.trainableWeights.length, 2);
    model.trainable = false;
    assert.equal(mf.cloneModel(model).trainable, true);
    assert.equal(mf.cloneModel(model).trainableWeights.length, 0);
  });
  test('the clone has all weights if a layer gets some of its own from its config', async () => {
    for (const layer of [
      layers.rnn({ cell: [layers.gruCell({ units: 2 }), layers.lstmCell({ units: 3 })] }),
      layers.bidirectional({ layer: layers.gru({ units: 2 }) }),
    ]) {
      const embedding = layers.embedding({ inputDim: 5, outputDim: 2 });
      const model = new Sequential([embedding, layer, layers.dense({ units: 2 })]);
      model.build([null, 4]);
      const clone = mf.cloneModel(model);
      assert.equal(clone.weights.length, model.weights.length);
      await clone.loadWeights(await model.saveWeights());
      const ids = mf.tensor([[1, 2, 3, 0]], { dtype: 'int32' });
      assert.deepEqual(clone.predict(ids).array(), model.predict(ids).array());
    }
  });
  test('an embedding, and a layer that does not fit', () => {
    const model = new Sequential([layers.embedding({ inputDim: 5, outputDim: 2, maskZero: true })]);
    model.predict(mf.tensor([[1, 2, 0]], { dtype: 'int32' }));
    model.add(layers.lstm({ units: 2 }));
    assert.equal(model.weights.length, 4);
    assert.equal(mf.cloneModel(model).weights.length, 4);
    model.add(layers.lstm({ units: 2 }));
    assert.throws(() => model.predict(mf.tensor([[1, 2, 0]], { dtype: 'int32' })), mf.ShapeError);
  });
  test('cloneModel compiles with the same settings and a new optimizer', async () => {
    const mean = mf.metrics.meanAbsoluteError({ name: 'distance' });
    for (const model of [sequential(), functional()]) {
      const adam = optimizers.adam({ learningRate: 0.3 });
      model.compile({ optimizer: adam, loss: 'mse', lossWeights: [0.5], metrics: [mean] });
      await model.fit(x, targets);
      adam.learningRate = 0.2;
      const clone = mf.cloneModel(model);
      assert.notEqual(clone.optimizer, adam);
      assert.equal(clone.optimizer.iterations, 0);
      assert.equal(clone.optimizer.learningRate, Math.fround(0.2));
      assert.equal(clone.optimizer.variables.length, adam.variables.length);
      clone.setWeights(model.getWeights());
      const results = clone.evaluate(x, targets);
      assert.deepEqual(results, model.evaluate(x, targets));
      assert.deepEqual(Object.keys(results), ['loss', 'distance']);
      clone.dispose();
      await model.fit(x, targets);
    }
    assert.throws(() => mf.cloneModel(sequential()).optimizer, mf.StateError);
  });
  const at = (layer, ...shape) => {
    layer.build([null, ...shape]);
    return layer;
  };
  const gru = () => layers.gru({ units: 2 });
  const wrappers = {
    TimeDistributed: () => at(layers.timeDistributed({ layer: layers.dense({ units: 2 }) }), 3, 4),
    'TimeDistributed of a recurrent layer': () =>
      at(layers.timeDistributed({ layer: gru() }), 3, 4, 5),
    Bidirectional: () => at(layers.bidirectional({ layer: gru() }), 3, 4),
    RNN: () => at(layers.rnn({ cell: layers.gruCell({ units: 2 }) }), 3, 4),
    'RNN of cells': () =>
      at(layers.rnn({ cell: [layers.gruCell({ units: 2 }), layers.lstmCell({ units: 3 })] }), 3, 4),
  };
  for (const [name, make] of Object.entries(wrappers)) {
    test(`fromConfig of a built ${name} has its weights`, () => {
      const layer = make();
      const copy = layer.constructor.fromConfig(layer.getConfig());
      const shapes = ({ weights }) => weights.map(({ shape }) => shape);
      assert.deepEqual(shapes(copy), shapes(layer));
      assert.deepEqual(shapes(mf.deserializeLayer(mf.serializeLayer(layer))), shapes(layer));
    });
  }
  class Shifted extends mf.Layer {
    build(shape) {
      this.shift = this.addWeight({ name: 'shift', shape: [shape.at(-1)] });
    }
    call(x) {
      return mf.ops.add(x, this.shift);
    }
  }
  class Wrapped extends mf.Layer {
    constructor({ layer, ...config }) {
      super(config);
      this.layer = layer instanceof mf.Layer ? layer : mf.deserializeLayer(layer);
    }
    call(x) {
      return this.layer.apply(x);
    }
    getConfig() {
      return { ...super.getConfig(), layer: mf.serializeLayer(this.layer) };
    }
  }
  for (const Class of [Shifted, Wrapped]) mf.registerLayer(Class, { package: 'ModelCopies' });
  for (const [name, make] of Object.entries({
    dense: () => layers.dense({ units: 2 }),
    'a custom layer': () => new Shifted(),
    'a wrapper': () => layers.bidirectional({ layer: gru() }),
  })) {
    test(`deserializeLayer of a built layer has its weights: ${name}, alone and inside`, () => {
      const layer = make();
      const built = at(layer, 3, 4);
      assert.ok(built.weights.length > 0);
      const again = mf.deserializeLayer(mf.serializeLayer(built));
      assert.equal(again.weights.length, built.weights.length);
      assert.equal(mf.deserializeLayer(mf.serializeLayer(make())).weights.length, 0);
      const outer = new Wrapped({ layer: built });
      const copy = Wrapped.fromConfig(outer.getConfig());
      assert.equal(copy.weights.length, built.weights.length);
      copy.setWeights(outer.getWeights());
      const steps = mf.ops.ones([2, 3, 4]);
      assert.deepEqual(copy.apply(steps).array(), outer.apply(steps).array());
      assert.equal(copy.weights.length, built.weights.length);
    });
  }
});
