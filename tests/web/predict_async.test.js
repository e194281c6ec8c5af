// SPDX-License-Identifier: MIT
// predictAsync lets one program run models of this thread, of a worker and of a pool.
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import * as mf from '../../dist/index.js';
import * as threads from '../../dist/worker.js';
import { brackets } from '../support/workers.js';
import { collectGarbage } from '../support/garbage.js';
import { live } from '../support/watch.js';

const ids = [
  [1, 3, 5, 6, 4, 2],
  [1, 3, 2, 4, 0, 0],
];

/** A program that runs unchanged on a model of this thread, of a worker and of a pool. */
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

suite('a program that only uses predictAsync', () => {
  let local;
  let worker;
  let pool;
  before(async () => {
    await mf.ready();
    local = await mf.loadModel(brackets);
    worker = await threads.openWorker();
    pool = await threads.openPool({ size: 2 });
  });
  after(() => {
    local.dispose();
    worker.close();
    pool.close();
  });

  test('runs on models of this thread, of a worker and of a pool', async () => {
    await collectGarbage();
    const start = live();
    const expected = await program(local);
    assert.deepEqual(live(), start, 'all memory is freed');
    assert.deepEqual(expected.array, local.predict(ids, { batchSize: 1 }).array());
    assert.deepEqual(await program(await worker.loadModel(brackets)), expected);
    assert.deepEqual(await program(await pool.loadModel(brackets)), expected);
  });

  test('rejects with errors of the same class', async () => {
    const invalid = [[['a']]];
    const remote = await worker.loadModel(brackets);
    for (const model of [local, remote, await pool.loadModel(brackets)]) {
      await assert.rejects(model.predictAsync(invalid), mf.MaskflowError);
      await assert.rejects(model.predictAsync(ids, 3), mf.ValueError);
      await assert.rejects(model.predictAsync(ids, { batchSize: -1 }), { name: 'ValueError' });
    }
  });

  test('obeys an aborted signal, and refuses a value that is not a signal', async () => {
    const reason = new Error('enough');
    const remote = await worker.loadModel(brackets);
    for (const model of [local, remote, await pool.loadModel(brackets)]) {
      await assert.rejects(model.predictAsync(ids, { signal: AbortSignal.abort(reason) }), reason);
      await assert.rejects(model.predictAsync(ids, { signal: 'now' }), mf.ValueError);
    }
  });
});

test('results may be lists and dictionaries', async () => {
  await mf.ready();
  const x = mf.Input({ shape: [1] });
  const list = new mf.Model({ inputs: x, outputs: [x.add(1), x.multiply(2)] });
  const arrays = (results) => Object.entries(results).map(([key, y]) => [key, y.array()]);
  assert.deepEqual(arrays(await list.predictAsync([[3]])), arrays(list.predict([[3]])));
  const byName = new mf.Model({ inputs: { x }, outputs: { more: x.add(1) } });
  const results = await byName.predictAsync({ x: [[3]] });
  assert.deepEqual(arrays(results), [['more', [[4]]]]);
});

test('the result outlives a tidy() around the call', async () => {
  await mf.ready();
  const model = new mf.Sequential([mf.Input({ shape: [1] }), mf.layers.rescaling({ scale: 2 })]);
  const y = await mf.tidy(() => model.predictAsync([[3]]));
  assert.deepEqual(y.array(), [[6]]);
  y.dispose();
});

test('a custom model that overrides predict is called', async () => {
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
  const expected = model.predict(ids).array();
  assert.deepEqual((await model.predictAsync(ids, { workers: 1 })).array(), expected);
  await assert.rejects(model.predictAsync(ids, { workers: 0 }), mf.ValueError);
});

test('a disposed model rejects the promise', async () => {
  await mf.ready();
  const model = await mf.loadModel(brackets);
  model.dispose();
  await assert.rejects(model.predictAsync(ids), mf.StateError);
});
