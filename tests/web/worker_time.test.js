// SPDX-License-Identifier: MIT
// A worker whose call exceeds its time limit is terminated; a pool replaces it.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { test } from 'node:test';
import * as mf from '../../dist/index.js';
import { openPool, openWorker, TimeLimitError } from '../../dist/worker.js';

await mf.ready();

/** Creates a model, and rows that keep it busy for seconds. */
async function slowModel() {
  const { layers } = mf;
  const model = new mf.Sequential([
    mf.Input({ shape: [null, 8] }),
    layers.lstm({ units: 256, returnSequences: true }),
    layers.lstm({ units: 256 }),
  ]);
  const file = await model.save();
  model.dispose();
  const rows = (steps) => ({ data: new Float32Array(32 * steps * 8), shape: [32, steps, 8] });
  return { file, long: rows(20_000), short: rows(2) };
}

const isLate = (error) => {
  assert.ok(error instanceof TimeLimitError);
  assert.equal(error.kind, 'state');
  assert.match(error.message, /predict took more than the timeLimit of \d+ ms/);
  return true;
};

test('a call that exceeds its limit terminates its worker, with all waiting calls', async () => {
  const { file, long, short } = await slowModel();
  const worker = await openWorker();
  const model = await worker.loadModel(file, { timeLimit: 60_000 });
  const late = model.predict(long, { timeLimit: 100 });
  const waiting = assert.rejects(model.predict(short), {
    name: 'CrashError',
    message: /'predict'/,
  });
  await assert.rejects(late, isLate);
  await waiting;
  await assert.rejects(model.predict(short), { name: 'CrashError', message: /openWorker/ });
  worker.close();
});

test('a pool replaces the worker', async () => {
  const { file, long, short } = await slowModel();
  const pool = await openPool({ size: 1, timeLimit: 60_000 });
  const model = await pool.loadModel(file);
  await assert.rejects(model.predict(long, { timeLimit: 100 }), isLate);
  assert.deepEqual((await model.predict(short)).shape, [32, 256]);
  pool.close();
});

test('a load that never ends is terminated', async (t) => {
  const server = createServer(() => {});
  // Closes the server even if the test fails, because an open server keeps the test run from
  // ending.
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${server.address().port}/model.keras`;
  const pool = await openPool({ size: 1 });
  await assert.rejects(pool.loadModel(address, { timeLimit: 100 }), { name: 'TimeLimitError' });
  const { file, short } = await slowModel();
  const model = await pool.loadModel(file);
  assert.deepEqual((await model.predict(short)).shape, [32, 256]);
  pool.close();
});

test('invalid limits are refused', async () => {
  for (const timeLimit of [0, -1, Number.NaN, '5']) {
    await assert.rejects(openWorker({ timeLimit }), { name: 'ValueError', message: /timeLimit/ });
  }
  const worker = await openWorker({ timeLimit: Number.POSITIVE_INFINITY });
  worker.close();
});
