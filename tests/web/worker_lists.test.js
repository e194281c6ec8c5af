// SPDX-License-Identifier: MIT
// Nested lists for several inputs and outputs are the same in this thread, workers and pools.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import * as mf from '../../dist/train.js';
import { batched, openPool, openWorker } from '../../dist/worker.js';

const { Input, layers, loadModel, Model } = mf;
const rowsA = [
  [1, 2],
  [3, 4],
  [5, 6],
];
const rowsB = [
  [1, 2, 3],
  [4, 5, 6],
  [7, 8, 9],
];
const x = [rowsA, rowsB];
const y = [
  [[1], [2], [3]],
  [
    [1, 2],
    [3, 4],
    [5, 6],
  ],
];
const weights = [[1, 2, 3], null];
const both = [
  [1, 2, 3],
  [3, 2, 1],
];
const compile = { optimizer: 'sgd', loss: ['mse', 'mse'] };
let file;
let local;
let worker;
let remote;

before(async () => {
  await mf.ready();
  const inputs = [Input({ shape: [2] }), Input({ shape: [3] })];
  const joined = layers.concatenate().apply(inputs);
  const outputs = [1, 2].map((units) => layers.dense({ units }).apply(joined));
  file = await new Model({ inputs, outputs }).save();
  worker = await openWorker({ train: true });
});
after(() => worker.close());

const arrays = (tensors) => tensors.map((tensor) => tensor.array());
async function start() {
  local = await loadModel(file);
  local.compile(compile);
  remote = await worker.loadModel(file);
  await remote.compile(compile);
}

test('predict and evaluate in a worker', async () => {
  await start();
  assert.deepEqual(arrays(await remote.predict(x)), arrays(local.predict(x)));
  assert.deepEqual(await remote.evaluate(x, y), local.evaluate(x, y));
  const weighted = { sampleWeight: weights };
  assert.deepEqual(await remote.evaluate(x, y, weighted), local.evaluate(x, y, weighted));
});

test('fit, trainOnBatch and testOnBatch in a worker', async () => {
  for (const sampleWeight of [weights, both]) {
    await start();
    const options = { epochs: 2, shuffle: false, sampleWeight, validationData: [x, y] };
    const expected = await local.fit(x, y, options);
    assert.deepEqual((await remote.fit(x, y, options)).history, expected.history);
    assert.deepEqual(
      await remote.trainOnBatch(x, y, { sampleWeight }),
      await local.trainOnBatch(x, y, { sampleWeight }),
    );
    assert.deepEqual(await remote.testOnBatch(x, y), await local.testOnBatch(x, y));
    const batches = () => [[x, y, sampleWeight]];
    const byBatch = await local.fit(batches, { epochs: 1 });
    assert.deepEqual((await remote.fit(batches, { epochs: 1 })).history, byBatch.history);
  }
});

test('predict in a pool, in shared workers and of single rows', async () => {
  await start();
  const expected = arrays(local.predict(x));
  const pool = await openPool({ size: 2 });
  try {
    const pooled = await pool.loadModel(file);
    assert.deepEqual(arrays(await pooled.predict(x)), expected);
    for (const model of [local, pooled, remote]) {
      const rows = batched(model, { maxBatch: 4 });
      const results = await Promise.all(rowsA.map((row, i) => rows.predict([row, rowsB[i]])));
      assert.deepEqual(
        results.map(arrays),
        rowsA.map((_, i) => expected.map((output) => output[i])),
      );
      rows.dispose();
    }
  } finally {
    pool.close();
  }
});
