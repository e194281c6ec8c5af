// SPDX-License-Identifier: MIT
// A worker whose wasm has died says so, and a pool replaces it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { Input, layers, ready, Sequential } from '../../dist/index.js';
import { openPool, openWorker } from '../../dist/worker.js';
import { trappingWasm } from '../support/trapping_wasm.js';

let file;
before(async () => {
  await ready();
  const model = new Sequential([Input({ shape: [2] }), layers.dense({ units: 1 })]);
  file = await model.save();
});

const openWorkers = [];
after(() => {
  for (const opened of openWorkers) opened.close();
});

test('a worker reports its death', async () => {
  const worker = await openWorker({ wasm: trappingWasm('predict_one_at'), variant: 'simd' });
  openWorkers.push(worker);
  const model = await worker.loadModel(file);
  const dead = { name: 'CrashError', kind: 'state', message: /dead.*unreachable.*openWorker/ };
  await assert.rejects(model.predict([[1, 2]]), dead);
  await assert.rejects(model.predict([[1, 2]]), dead);
  await assert.rejects(worker.loadModel(file), dead);
});

test('a pool replaces the worker', async () => {
  // Only the first worker receives wasm that traps.
  let count = 0;
  const script = new URL('../support/own_trapping_worker.js', import.meta.url);
  const pool = await openPool({
    size: 1,
    worker: () => new Worker(script, { workerData: { traps: count++ === 0 } }),
  });
  openWorkers.push(pool);
  const model = await pool.loadModel(file);
  assert.deepEqual((await model.predict([[1, 2]])).shape, [1, 1]);
  assert.equal(count, 2);
});
