// SPDX-License-Identifier: MIT
// Callbacks of evaluate and predict, and the logs that callbacks receive.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import * as mf from '../../dist/train.js';
import { collectGarbage } from '../support/garbage.js';

before(() => mf.ready());
const { Sequential, layers, optimizers } = mf;

const x = [[1], [2], [3], [4]];
const y = [[2], [4], [6], [9]];
const sgd = () => optimizers.sgd({ learningRate: 0.01 });
const ones = { units: 1, kernelInitializer: 'ones' };

function linear(Class = Sequential, compile = { loss: 'mse' }) {
  const model = new Class([mf.Input({ shape: [1] }), layers.dense(ones)]);
  model.compile({ optimizer: sgd(), ...compile });
  return model;
}

const eventNames = ['Begin', 'BatchBegin', 'BatchEnd', 'End'];

/** A callback that notes events of `evaluate` or `predict`. */
function noting(kind) {
  const events = [];
  const callback = Object.fromEntries(
    eventNames.map((name) => [
      `on${kind}${name}`,
      (...args) => {
        const logs = args.find((arg) => typeof arg === 'object');
        events.push([
          name,
          ...(name.startsWith('Batch') ? [args[0]] : []),
          ...Object.keys(logs ?? {}),
        ]);
      },
    ]),
  );
  return { events, callback };
}

test('evaluate notifies callbacks, which know the model and the parameters', async () => {
  const expected = [
    ['Begin'],
    ['BatchBegin', 0],
    ['BatchEnd', 0, 'loss', 'mae'],
    ['BatchBegin', 1],
    ['BatchEnd', 1, 'loss', 'mae'],
    ['End', 'loss', 'mae'],
  ];
  const model = linear(Sequential, { loss: 'mse', metrics: ['mae'] });
  const { events, callback } = noting('Test');
  const known = [];
  class Knowing extends mf.Callback {
    onTestBegin() {
      known.push(this.model === model, this.params);
    }
  }
  model.evaluate(x, y, { batchSize: 3, callbacks: [callback, new Knowing()] });
  assert.deepEqual(events.splice(0), expected);
  assert.deepEqual(known, [true, { epochs: 1, steps: 2, verbose: 0 }]);
  model.evaluate(x, y, { loss: 'mse', metrics: ['mae'], batchSize: 3, callbacks: [callback] });
  assert.deepEqual(events.splice(0), expected);
  const batches = () => [
    [x.slice(0, 3), y.slice(0, 3)],
    [x.slice(3), y.slice(3)],
  ];
  let ended = false;
  const slow = {
    async onTestEnd() {
      await new Promise((resolve) => setTimeout(resolve, 5));
      ended = true;
    },
  };
  await model.evaluate(batches, { callbacks: [callback, slow] });
  assert.deepEqual(events.splice(0), expected);
  assert.ok(ended);
  assert.throws(() => model.evaluate(x, y, { callbacks: [slow] }), /pass batches: \(\) => \[x\]/);
});

test('predict notifies callbacks with the outputs of each batch', async () => {
  const expected = [
    ['Begin'],
    ['BatchBegin', 0],
    ['BatchEnd', 0, 'outputs'],
    ['BatchBegin', 1],
    ['BatchEnd', 1, 'outputs'],
    ['End'],
  ];
  const model = linear();
  const { events, callback } = noting('Predict');
  const rows = [];
  const look = { onPredictBatchEnd: (_, { outputs }) => rows.push(outputs.array()) };
  const options = { batchSize: 3, callbacks: [callback, look] };
  assert.deepEqual(model.predict(x, options).array(), model.predict(x).array());
  assert.deepEqual(events.splice(0), expected);
  assert.deepEqual(rows.flat(), x);
  const later = await model.predict(() => [x.slice(0, 3), x.slice(3)], { callbacks: [callback] });
  assert.deepEqual(later.array(), x);
  assert.deepEqual(events.splice(0), expected);
  await model.fit(x, y, { callbacks: [callback] });
  assert.deepEqual(events, []);
  const stop = { onPredictBatchEnd: () => Object.assign(model, { stopPredicting: true }) };
  assert.equal(model.predict(x, { batchSize: 1, callbacks: [stop] }).shape[0], 1);
  assert.throws(() => model.predict(x, { callbacks: [stop], mask: [[1]] }), /x\.withMask\(mask\)/);
  await collectGarbage();
  const { tensors } = mf.memory();
  mf.tidy(() => void model.predict(x, options));
  assert.equal(mf.memory().tensors, tensors);
});

test('verbose prints a line for evaluate and predict', async (t) => {
  const lines = [];
  t.mock.method(process.stdout, 'write', (text) => void lines.push(text));
  const model = linear();
  model.evaluate(x, y, { verbose: 2 });
  model.predict(x, { verbose: 2, batchSize: 2 });
  t.mock.restoreAll();
  const text = lines.join('');
  assert.match(text, /1\/1 .*loss: /);
  assert.match(text, /2\/2 /);
  assert.throws(() => model.predict(x, { verbose: 3 }), /verbose is 3 but must be 0, 1 or 2/);
});

test('onTrainEnd has its own logs, without numbers that callbacks added', async () => {
  const ends = [];
  const adding = {
    onEpochEnd: (_, logs) => Object.assign(logs, { added: 1 }),
    onTrainEnd: (logs) => ends.push(Object.keys(logs)),
  };
  const { history } = await linear().fit(x, y, { callbacks: [adding] });
  assert.deepEqual(Object.keys(history).sort(), ['added', 'loss']);
  assert.deepEqual(ends, [['loss']]);
});
