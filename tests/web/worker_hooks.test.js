// SPDX-License-Identifier: MIT
// Methods of training that a class overrides, and weights for some of the outputs, in a worker.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import * as mf from '../../dist/train.js';
import { openWorker } from '../../dist/worker.js';
import { Hooked, registerHooked } from '../support/hooked_model.js';

const x = [[1], [2], [3], [4]];
let y;
let sampleWeight;
const compileOptions = {
  optimizer: { class_name: 'SGD', config: { learning_rate: 0.01 } },
  loss: 'mse',
};

let own;
let plain;
before(async () => {
  await mf.ready({ seed: 1 });
  registerHooked();
  // A worker takes a list of nested lists for one array; tensors are several.
  y = [2, -1].map((factor) => mf.tensor(x.map(([each]) => [factor * each])));
  sampleWeight = [mf.tensor([1, 2, 0, 0.5]), null];
  const script = new URL('../support/own_hooks_worker.js', import.meta.url);
  own = await openWorker({ worker: () => new Worker(script) });
  plain = await openWorker({ train: true });
});
after(() => Promise.all([own.close(), plain.close()]));

function modelOf(Class) {
  const inputs = mf.Input({ shape: [1] });
  const outputs = ['a', 'b'].map((name) =>
    mf.layers.dense({ units: 1, kernelInitializer: 'ones', name }).apply(inputs),
  );
  return new Class({ inputs, outputs });
}

/** Trains in this thread and in a worker; both have the same results. Returns these. */
async function both(Class, worker, options) {
  const local = modelOf(Class);
  const remote = await worker.loadModel(await local.save());
  const results = [];
  for (const model of [local, remote]) {
    await model.compile(compileOptions);
    const { history } = await model.fit(x, y, { epochs: 2, batchSize: 2, seed: 3, ...options });
    const batch = await model.trainOnBatch(x, y, options);
    const logs = await model.evaluate(x, y, options);
    const weights = (await model.getWeights()).map((weight) => [...weight.data()]);
    results.push({ history, batch, logs, weights });
  }
  assert.deepEqual(results[1], results[0]);
  return results[0];
}

test('hooks of a class run in an own worker as in this thread', async () => {
  const { history, logs } = await both(Hooked, own, {});
  assert.deepEqual(history.weighted, [0, 0]);
  assert.ok(logs.loss > 1);
  assert.equal((await both(Hooked, own, { sampleWeight })).batch.weighted, 1);
});

test('weights that are null for an output reach every worker', async () => {
  const { logs } = await both(mf.Model, plain, { sampleWeight });
  const unweighted = await both(mf.Model, plain, {});
  assert.notEqual(logs.a_loss, unweighted.logs.a_loss);
});
