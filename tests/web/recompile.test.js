// SPDX-License-Identifier: MIT
// A second compile() keeps losses and metrics; losses that layers add; batches without weight.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import * as mf from '../../dist/train.js';

before(() => mf.ready());
const { Model, Sequential, layers, ops, optimizers, tensor } = mf;

const x = [[1], [2], [3], [4]];
const y = [[2], [4], [6], [9]];
const sgd = () => optimizers.sgd({ learningRate: 0.01 });
const ones = { units: 1, kernelInitializer: 'ones' };

function linear(Class = Sequential, compile = { loss: 'mse' }) {
  const model = new Class([mf.Input({ shape: [1] }), layers.dense(ones)]);
  model.compile({ optimizer: sgd(), ...compile });
  return model;
}

/** A model with outputs of these names. */
function several(names, Class = Model, compile = { loss: 'mse' }) {
  const input = mf.Input({ shape: [1] });
  const outputs = names.map((name) => layers.dense({ ...ones, name }).apply(input));
  const model = new Class({ inputs: input, outputs });
  model.compile({ optimizer: sgd(), ...compile });
  return model;
}

test('losses are those of the last batch after training, evaluate and predict', async () => {
  class Adding extends mf.Layer {
    call(inputs) {
      this.addLoss(ops.sum(inputs));
      return inputs;
    }
  }
  const model = new Sequential([mf.Input({ shape: [1] }), new Adding(), layers.dense(ones)]);
  model.compile({ optimizer: sgd(), loss: 'mse' });
  const added = () => model.losses.map((loss) => loss.item());
  assert.deepEqual(added(), []);
  await model.fit(x, y, { batchSize: 3, shuffle: false });
  assert.deepEqual(added(), [4]);
  model.evaluate(x, y, { batchSize: 2 });
  assert.deepEqual(added(), [7]);
  for (let i = 0; i < 3; i++) model.predict([[5]]);
  assert.deepEqual(added(), [5]);
  model.predict(x, { batchSize: 1 });
  assert.deepEqual(added(), [4]);
  model.predict([tensor(x)], { batchSize: 3 });
  assert.deepEqual(added(), [4]);
  model.predict(Array.from({ length: 34 }, (_, i) => [i]));
  assert.deepEqual(added(), [32 + 33]);
  model.predict(x, { batchSize: 0 });
  assert.deepEqual(added(), [10]);
  await model.predict(() => [[[1]], [[6]]]);
  assert.deepEqual(added(), [6]);
  const shared = new Adding();
  const input = mf.Input({ shape: [1] });
  const twice = new Model({ inputs: input, outputs: shared.apply(shared.apply(input)) });
  twice.predict(tensor(x), { batchSize: 2 });
  assert.deepEqual(
    twice.losses.map((loss) => loss.item()),
    [7, 7],
  );
});

test('add and pop of a Sequential model forget the losses of calls', () => {
  class Adding extends mf.Layer {
    call(inputs) {
      this.addLoss(ops.sum(inputs));
      return inputs;
    }
  }
  const model = new Sequential([mf.Input({ shape: [1] }), new Adding(), layers.dense(ones)]);
  const count = () => {
    const before = model.losses.length;
    model.predict(x);
    return [before, model.losses.length];
  };
  assert.deepEqual(count(), [0, 1]);
  model.pop();
  assert.deepEqual(count(), [0, 1]);
  model.add(layers.dense(ones));
  assert.deepEqual(count(), [0, 1]);
});

test('compile without losses or metrics keeps those of an earlier compile', async () => {
  const model = linear(Sequential, { loss: 'mse', metrics: ['mae'] });
  model.compile({ optimizer: 'adam' });
  assert.equal(model.optimizer.className, 'Adam');
  assert.deepEqual(Object.keys(model.evaluate(x, y)), ['loss', 'mae']);
  model.compile({ loss: 'mae' });
  assert.deepEqual(Object.keys(model.evaluate(x, y)), ['loss', 'mae']);
  assert.equal(model.evaluate(x, y).loss, model.evaluate(x, y).mae);
  model.compile({ metrics: [] });
  assert.deepEqual(Object.keys(model.evaluate(x, y)), ['loss']);
});

test('metrics that stay keep their values and what an abbreviation means, as in Keras', () => {
  const model = new Sequential([
    mf.Input({ shape: [1] }),
    layers.dense({ units: 2, kernelInitializer: 'ones' }),
  ]);
  const classes = [0, 1, 1, 1].map((i) => [Number(i === 0), Number(i === 1)]);
  model.compile({ loss: 'mse', metrics: ['accuracy', 'mae'] });
  const { mae } = model.evaluate(x, classes);
  model.compile({ optimizer: sgd() });
  const kept = model.getMetricsResult();
  assert.deepEqual([kept.loss, kept.mae], [0, mae]);
  assert.deepEqual(Object.keys(kept), ['loss', 'accuracy', 'mae']);
  model.pop();
  model.add(layers.dense({ units: 1, kernelInitializer: 'ones', name: 'other' }));
  model.compile({ optimizer: sgd() });
  const targets = [[5], [6], [7], [8]];
  // The accuracy is still that of one-hot classes: a single class is always the largest.
  assert.equal(model.evaluate(x, targets).accuracy, 1);
  model.compile({ loss: 'mse', metrics: ['accuracy'] });
  assert.equal(model.evaluate(x, targets).accuracy, 0);
  const two = several(['a', 'b'], Model, { loss: 'mse', metrics: [['mae'], []] });
  const { loss: _, ...before } = two.evaluate(x, [y, y]);
  two.compile({ optimizer: sgd() });
  const { loss: __, ...now } = two.getMetricsResult();
  assert.deepEqual(now, before);
  assert.deepEqual(Object.keys(now).sort(), ['a_loss', 'a_mae', 'b_loss']);
});

test('files and clones have the losses and metrics of the last compile alone, as in Keras', async () => {
  const model = linear(Sequential, { loss: 'mse', metrics: ['mae'] });
  const copies = async () => [await mf.loadModel(await model.save()), mf.cloneModel(model)];
  const names = (each) => Object.keys(each.evaluate(x, y));
  for (const copy of await copies()) assert.deepEqual(names(copy), ['loss', 'mae']);
  model.compile({ optimizer: sgd(), loss: 'mse' });
  for (const copy of await copies()) assert.deepEqual(names(copy), ['loss']);
  assert.deepEqual(names(model), ['loss', 'mae']);
  model.compile({ optimizer: sgd() });
  for (const copy of await copies()) {
    assert.throws(() => copy.evaluate(x, y), /neither a loss nor metrics.*compile it with them/);
    copy.compile({ loss: 'mse' });
    assert.deepEqual(names(copy), ['loss']);
  }
  assert.deepEqual(names(model), ['loss', 'mae']);
});

test('a batch without weight trains with gradients of 0', async () => {
  class Own extends Sequential {
    trainStep([inputs, targets, weights]) {
      const { value, gradients } = mf.valueAndGradients(
        () => this.computeLoss(inputs, targets, this.apply(inputs), weights),
        this.trainableVariables,
      );
      this.optimizer.apply(gradients, this.trainableVariables);
      return { loss: value };
    }
  }
  for (const Class of [Sequential, Own]) {
    for (const reduction of ['mean_with_sample_weight', 'sum_over_batch_size', 'sum']) {
      const loss = { class_name: 'MeanSquaredError', config: { reduction } };
      const model = linear(Class, { loss });
      const before = model.getWeights().map((weight) => weight.array());
      const { history } = await model.fit(x, y, { epochs: 1, sampleWeight: [0, 0, 0, 0] });
      assert.deepEqual(history.loss, [0]);
      const now = model.getWeights().map((weight) => weight.array());
      assert.deepEqual(now, before);
    }
  }
});
