// SPDX-License-Identifier: MIT
// A worker whose call takes too long is ended; a pool puts another one in its place.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { test } from 'node:test';
import * as mf from '../../dist/index.js';
import { openPool, openWorker, TimeLimitError } from '../../dist/worker.js';

await mf.ready();

/** A model, and rows that keep it busy for seconds. */
async function busy() {
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
  assert.match(error.message, /predict took more than the \d+ ms of timeLimit/);
  return true;
};

test('a call with a limit ends its worker, and what waits there', async () => {
  const { file, long, short } = await busy();
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
  const { file, long, short } = await busy();
  const pool = await openPool({ size: 1, timeLimit: 60_000 });
  const model = await pool.loadModel(file);
  await assert.rejects(model.predict(long, { timeLimit: 100 }), isLate);
  assert.deepEqual((await model.predict(short)).shape, [32, 256]);
  pool.close();
});

test('a load that never ends', async (t) => {
  const server = createServer(() => {});
  // (However the test ends: an open server keeps the whole run from ending.)
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  const address = `http://127.0.0.1:${server.address().port}/model.keras`;
  const pool = await openPool({ size: 1 });
  await assert.rejects(pool.loadModel(address, { timeLimit: 100 }), { name: 'TimeLimitError' });
  const { file, short } = await busy();
  const model = await pool.loadModel(file);
  assert.deepEqual((await model.predict(short)).shape, [32, 256]);
  pool.close();
});

test('limits that are none', async () => {
  for (const timeLimit of [0, -1, Number.NaN, '5']) {
    await assert.rejects(openWorker({ timeLimit }), { name: 'ValueError', message: /timeLimit/ });
  }
  const worker = await openWorker({ timeLimit: Number.POSITIVE_INFINITY });
  worker.close();
});
