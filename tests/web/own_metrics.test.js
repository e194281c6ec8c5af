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
