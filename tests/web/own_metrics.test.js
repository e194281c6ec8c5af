// SPDX-License-Identifier: MIT
// Metrics in properties of a model, computeMetrics in a step of its own, and weights that `call`
// changes, as in Keras. tests/fixtures/training/own_metrics/record.py recorded the numbers.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, test } from 'node:test';
import * as mf from '../../dist/train.js';
import { close } from '../support/watch.js';

before(() => mf.ready());
const { layers, ops, tensor } = mf;

const path = new URL('../fixtures/training/own_metrics/cases.json', import.meta.url);
const recorded = JSON.parse(readFileSync(path, 'utf8'));

class Counting extends mf.Layer {
  build() {
    this.calls = this.addWeight({
      name: 'calls',
      shape: [],
      initializer: 'zeros',
      trainable: false,
    });
  }
  call(inputs) {
    this.calls.assignAdd(1);
    return inputs;
  }
}

class Own extends mf.Model {
  counting = new Counting();
  dense = layers.dense({ units: 1, kernelInitializer: 'ones' });
  size = mf.metrics.mean({ name: 'size' });

  call(inputs) {
    return this.dense.apply(this.counting.apply(inputs));
  }
  testStep([x, y]) {
    const predictions = this.apply(x, { training: false });
    this.size.updateState(ops.abs(predictions));
    return this.computeMetrics(x, y, predictions);
  }
}

function compiled() {
  const model = new Own();
  model.compile({
    optimizer: mf.optimizers.sgd({ learningRate: 0.05 }),
    loss: 'mse',
    metrics: ['mae'],
  });
  model.apply(tensor(recorded.x.slice(0, 1)));
  return model;
}

test('metrics in properties are results of evaluate, as in Keras', () => {
  const model = compiled();
  assert.deepEqual(
    model.metrics.map(({ name }) => name),
    recorded.metrics,
  );
  const logs = model.evaluate(tensor(recorded.x), tensor(recorded.y), { batchSize: 4 });
  for (const name of ['mae', 'size']) close([logs[name]], [recorded.logs[name]], 1e-5, name);
});

test('the results of a second evaluate are those of the first', () => {
  const model = compiled();
  const run = () => model.evaluate(tensor(recorded.x), tensor(recorded.y), { batchSize: 4 });
  assert.deepEqual(run(), run());
  model.resetMetrics();
  assert.equal(model.size.result(), 0);
});

test('assign changes a weight in calls that compute', () => {
  const model = compiled();
  const { calls } = model.counting;
  assert.equal(calls.value.item(), recorded.calls[0]);
  calls.assign(5);
  calls.assignSub(2);
  assert.equal(calls.value.item(), 3);
  assert.throws(() => calls.assign([1, 2]), mf.ShapeError);
  assert.equal(calls.value.item(), 3);
});

test('a graph that finds out shapes changes no weight', () => {
  const counting = new Counting();
  const input = mf.Input({ shape: [null, 2] });
  const model = new mf.Model({ inputs: input, outputs: counting.apply(input) });
  assert.equal(counting.calls.value.item(), 0);
  model.apply(ops.zeros([1, 3, 2]));
  assert.equal(counting.calls.value.item(), 1);
});

test('a class may have a property named metrics', () => {
  class Named extends mf.Model {
    constructor() {
      super();
      this.metrics = ['mine'];
    }
  }
  assert.deepEqual(new Named().metrics, ['mine']);
});

test('a class of metrics keeps its sums in variables, which resetState sets to zeros, as in Keras', async () => {
  class Sum extends mf.Metric {
    constructor() {
      super({ name: 'tp' });
      this.total = this.addVariable({ name: 't' });
      this.batches = this.addWeight({ name: 'n', shape: [2], initializer: 'ones' });
    }
    updateState(y, p) {
      this.total.assignAdd(ops.sum(ops.multiply(y, p)));
      this.batches.assignAdd([1, 1]);
    }
    result() {
      return ops.divide(this.total, ops.take(this.batches, 0));
    }
  }
  const metric = new Sum();
  assert.deepEqual(
    metric.variables.map(({ name }) => name),
    ['t', 'n'],
  );
  metric.updateState(ops.ones([3, 1]), tensor([[2], [2], [2]]));
  assert.equal(metric.result().item(), 3);
  metric.resetState();
  assert.deepEqual(
    metric.variables.map(({ value }) => value.array()),
    [0, [0, 0]],
  );

  // The numbers of Keras 3.15.1 for the same class, which also begins batches with zeros.
  const model = new mf.Sequential([
    mf.Input({ shape: [2] }),
    layers.dense({ units: 1, kernelInitializer: 'ones' }),
  ]);
  const optimizer = mf.optimizers.sgd({ learningRate: 0 });
  model.compile({ optimizer, loss: 'mse', metrics: [new Sum()] });
  const x = ops.reshape(ops.arange(0, 12), [6, 2]);
  const options = { batchSize: 4, verbose: 0 };
  const { history } = await model.fit(x, ops.ones([6, 1]), {
    ...options,
    epochs: 2,
    shuffle: false,
    validationData: [x, ops.ones([6, 1])],
  });
  assert.deepEqual(history.tp, [33, 33]);
  assert.deepEqual(history.val_tp, [33, 33]);
  close(history.loss, [146.6666717529297, 146.6666717529297], 1e-6, 'loss');
  assert.equal(model.evaluate(x, ops.ones([6, 1]), options).tp, 33);
});
