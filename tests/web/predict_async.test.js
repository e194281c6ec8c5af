// SPDX-License-Identifier: MIT
// predictAsync: one program for models of this thread, of a worker and of a pool.
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import * as mf from '../../dist/index.js';
import * as threads from '../../dist/worker.js';
import { brackets } from '../support/workers.js';
import { live } from '../support/watch.js';

const ids = [
  [1, 3, 5, 6, 4, 2],
  [1, 3, 2, 4, 0, 0],
];

/** Written once. */
async function program(model) {
  const scores = await model.predictAsync(ids, { batchSize: 1 });
  try {
    const { shape, dtype, rank, size } = scores;
    return { name: model.name, shape: [...shape], dtype, rank, size, array: scores.array() };
  } finally {
    scores.dispose();
    scores[Symbol.dispose]();
  }
}

suite('a program that knows predictAsync alone', () => {
  let here;
  let worker;
  let pool;
  before(async () => {
    await mf.ready();
    here = await mf.loadModel(brackets);
    worker = await threads.openWorker();
    pool = await threads.openPool({ size: 2 });
  });
  after(() => {
    here.dispose();
    worker.close();
    pool.close();
  });

  test('runs on models of this thread, of a worker and of a pool', async () => {
    const start = live();
    const wanted = await program(here);
    assert.deepEqual(live(), start, 'nothing is left');
    assert.deepEqual(wanted.array, here.predict(ids, { batchSize: 1 }).array());
    assert.deepEqual(await program(await worker.loadModel(brackets)), wanted);
    assert.deepEqual(await program(await pool.loadModel(brackets)), wanted);
  });

  test('errors fail the promise, with the same class', async () => {
    const wrong = [[['a']]];
    const remote = await worker.loadModel(brackets);
    for (const model of [here, remote, await pool.loadModel(brackets)]) {
      await assert.rejects(model.predictAsync(wrong), mf.MaskflowError);
      await assert.rejects(model.predictAsync(ids, 3), mf.ValueError);
      await assert.rejects(model.predictAsync(ids, { batchSize: -1 }), { name: 'ValueError' });
    }
  });

  test('a signal that has fired is heeded, and what is no signal refused', async () => {
    const reason = new Error('enough');
    const remote = await worker.loadModel(brackets);
    for (const model of [here, remote, await pool.loadModel(brackets)]) {
      await assert.rejects(model.predictAsync(ids, { signal: AbortSignal.abort(reason) }), reason);
      await assert.rejects(model.predictAsync(ids, { signal: 'now' }), mf.ValueError);
    }
  });
});

test('lists and dictionaries of results', async () => {
  await mf.ready();
  const x = mf.Input({ shape: [1] });
  const list = new mf.Model({ inputs: x, outputs: [x.add(1), x.multiply(2)] });
  const arrays = (made) => Object.entries(made).map(([key, y]) => [key, y.array()]);
  assert.deepEqual(arrays(await list.predictAsync([[3]])), arrays(list.predict([[3]])));
  const named = new mf.Model({ inputs: { x }, outputs: { more: x.add(1) } });
  const made = await named.predictAsync({ x: [[3]] });
  assert.deepEqual(arrays(made), [['more', [[4]]]]);
});

test('no tidy takes the result, which outlives it', async () => {
  await mf.ready();
  const model = new mf.Sequential([mf.Input({ shape: [1] }), mf.layers.rescaling({ scale: 2 })]);
  const y = await mf.tidy(() => model.predictAsync([[3]]));
  assert.deepEqual(y.array(), [[6]]);
  y.dispose();
});

test('a class of your own that overrides predict is asked', async () => {
  await mf.ready();
  class Mine extends mf.Model {
    call(x) {
      return x.add(1);
    }
    predict(x, options) {
      return super.predict(x.multiply(10), options);
    }
  }
  const x = mf.tensor([[1]]);
  assert.deepEqual((await new Mine().predictAsync(x)).array(), [[11]]);
});

test('workers of Node share the rows', async () => {
  await mf.ready();
  const model = await mf.loadModel(brackets);
  const wanted = model.predict(ids).array();
  assert.deepEqual((await model.predictAsync(ids, { workers: 1 })).array(), wanted);
  await assert.rejects(model.predictAsync(ids, { workers: 0 }), mf.ValueError);
});

test('a model that was disposed of fails the promise', async () => {
  await mf.ready();
  const model = await mf.loadModel(brackets);
  model.dispose();
  await assert.rejects(model.predictAsync(ids), mf.StateError);
});
