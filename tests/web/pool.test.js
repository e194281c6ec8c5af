// SPDX-License-Identifier: MIT
// Several workers: shards of equal work, results in order, crashes survived, a queue that may have
// a limit.
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import * as mf from '../../dist/index.js';
import { CrashError, openPool, UnsupportedError } from '../../dist/worker.js';
import { internals } from '../support/internals.js';
import {
  brackets,
  classifier,
  fragileWorkers,
  fragileFile,
  raggedIds,
} from '../support/workers.js';

suite('a pool of two', () => {
  let pool;
  let local;
  let remote;
  before(async () => {
    const { model, file } = await classifier();
    local = model;
    pool = await openPool({ size: 2 });
    remote = await pool.loadModel(file);
  });
  after(() => pool.close());
  const tensorOf = ({ data, shape }) => mf.tensor(data, { shape });

  for (const rows of [0, 1, 2, 3, 31, 64, 65, 300]) {
    test(`returns ${rows} rows in their order`, async () => {
      const x = raggedIds(rows, 12);
      const expected = local.predict(tensorOf(x), { batchSize: 16 });
      const actual = await remote.predict(x, { batchSize: 16 });
      assert.deepEqual(actual.shape, [rows, 2]);
      assert.deepEqual(actual.data(), expected.data());
    });
  }

  test('explicit masks are split with their rows', async () => {
    const model = new mf.Sequential([
      mf.Input({ shape: [null, 3] }),
      mf.layers.gru({ units: 4, returnSequences: true }),
    ]);
    const shape = [70, 9, 3];
    const data = Float32Array.from({ length: 70 * 9 * 3 }, (_, i) => Math.sin(i));
    const mask = Uint8Array.from({ length: 70 * 9 }, (_, i) => Number(Math.cos(i * i) > 0));
    const pooled = await pool.loadModel(await model.save());
    const actual = await pooled.predict({ data, shape }, { mask });
    const expected = model.predict(mf.tensor(data, { shape }), { mask });
    assert.deepEqual(actual.data(), expected.data());
    assert.notDeepEqual(actual.data(), (await pooled.predict({ data, shape })).data());
    pooled.dispose();
  });

  test('inputs that cannot be split by rows go to one worker', async () => {
    const model = new mf.Sequential([mf.Input({ shape: [null, 2] }), mf.layers.gru({ units: 2 })]);
    const pooled = await pool.loadModel(await model.save());
    const x = [[[1, 2]], [[3, 4]]];
    await assert.rejects(pooled.predict([[1, 2], [3]]), mf.ShapeError);
    assert.deepEqual((await pooled.predict(x)).array(), model.predict(x).array());
    pooled.dispose();
    await assert.rejects(pooled.predict(x), /StateError: this model was disposed of/);
  });

  test('calls that need no split go to one worker', async () => {
    const ids = [[1, 2, 0]];
    assert.equal(await remote.summary({ print: null }), local.summary({ print: null }));
    assert.deepEqual(await remote.traceMasks(ids), local.traceMasks(ids));
    const loss = 'sparse_categorical_crossentropy';
    assert.deepEqual(await remote.evaluate(ids, [1], { loss }), local.evaluate(ids, [1], { loss }));
    assert.deepEqual([remote.name, remote.countParams()], [local.name, local.countParams()]);
    assert.equal(remote.weights.length, local.weights.length);
  });

  test('errors are those of the main thread', async () => {
    const invalid = raggedIds(200, 5);
    invalid.data[990] = 50;
    const localError = await Promise.resolve()
      .then(() => local.predict(tensorOf(invalid)))
      .catch((error) => error);
    await assert.rejects(remote.predict(invalid), (error) => {
      assert.deepEqual([error.constructor, error.kind], [localError.constructor, localError.kind]);
      return true;
    });
    await assert.rejects(remote.predict([[1]], { batchSize: -1 }), mf.ValueError);
    await remote.predict([[1]]);
  });

  test('a prediction can be aborted, and the pool continues', async () => {
    const x = raggedIds(4000, 60);
    const reason = new Error('enough');
    const control = new AbortController();
    const start = performance.now();
    await remote.predict(x);
    const fullTime = performance.now() - start;
    const call = remote.predict(x, { signal: control.signal });
    await setTimeout(5);
    control.abort(reason);
    const from = performance.now();
    await assert.rejects(call, (error) => error === reason);
    await assert.rejects(remote.predict(x, { signal: control.signal }), (e) => e === reason);
    await remote.predict([[1, 2]]);
    assert.ok(performance.now() - from < fullTime / 2);
    assert.equal(pool.pending, 0);
  });

  test('a stateful model is refused, with the remedy', async () => {
    const stateful = new mf.Sequential([
      mf.Input({ batchShape: [2, 1, 1] }),
      mf.layers.lstm({ units: 2, stateful: true }),
    ]);
    const pooled = await pool.loadModel(await stateful.save());
    await assert.rejects(pooled.predict([[[1]], [[2]]]), (error) => {
      return error instanceof UnsupportedError && /openWorker/.test(error.message);
    });
    pooled.dispose();
  });

  test('an invalid file causes one error, and the pool continues', async () => {
    await assert.rejects(pool.loadModel(new Uint8Array(3)), mf.FormatError);
    await remote.predict([[1]]);
  });
});

test('calls wait for free workers, however many there are', async () => {
  const pool = await openPool({ size: 1 });
  const model = await pool.loadModel(brackets);
  const calls = Array.from({ length: 300 }, () => model.predict([[1, 2]]));
  assert.equal(pool.pending, 300);
  const room = pool.room();
  assert.equal((await Promise.all(calls)).length, 300);
  await room;
  assert.ok(pool.pending < 64);
  pool.close();
});

test('a limit of the queue is kept, and room() resolves once there is space', async () => {
  const pool = await openPool({ size: 1, queue: 2 });
  const model = await pool.loadModel(brackets);
  const x = raggedIds(600, 40);
  x.data.forEach((id, i) => {
    x.data[i] = id % 7;
  });
  const firstCall = model.predict(x);
  const secondCall = model.predict([[1]]);
  assert.equal(pool.pending, 2);
  await assert.rejects(model.predict([[1]]), /StateError: the pool's queue is full: 2 calls/);
  await pool.room();
  assert.ok(pool.pending < 2);
  await model.predict([[1]]);
  await Promise.all([firstCall, secondCall]);
  let max = 0;
  const calls = [];
  for (let i = 0; i < 20; i++) {
    await pool.room();
    calls.push(model.predict([[1, 2]]));
    max = Math.max(max, pool.pending);
  }
  assert.equal((await Promise.all(calls)).length, 20);
  assert.equal(max, 2);
  pool.close();
});

suite('a worker that breaks down', () => {
  const numbers = Array.from({ length: 40 }, (_, i) => [i === 17 ? 666 : i]);
  const expected = numbers.map(([x]) => [2 * x]);
  const open = async (times) => {
    const pool = await openPool({ size: 2, worker: fragileWorkers(times) });
    return { pool, model: await pool.loadModel(await fragileFile()) };
  };

  test('is replaced, and its rows are computed once more', async () => {
    const { pool, model } = await open(1);
    assert.deepEqual((await model.predict(numbers)).array(), expected);
    assert.deepEqual((await model.predict(numbers)).array(), expected);
    pool.close();
  });

  test('and breaks down again over the same rows causes an error; the pool continues', async () => {
    const { pool, model } = await open(2);
    await assert.rejects(
      model.predict(numbers),
      /StateError: two workers crashed in \d+ of \d+ rows \(the worker ended with code 3\); use/,
    );
    assert.deepEqual((await model.predict(numbers)).array(), expected);
    pool.close();
  });

  test('while idle is noticed by the next call', async () => {
    const workers = [];
    const make = fragileWorkers(0);
    const pool = await openPool({
      size: 2,
      worker: () => {
        workers.push(make());
        return workers.at(-1);
      },
    });
    const model = await pool.loadModel(await fragileFile());
    await Promise.all(workers.map((worker) => worker.terminate()));
    assert.deepEqual((await model.predict(numbers)).array(), expected);
    assert.equal(workers.length, 4);
    await Promise.all(workers.map((worker) => worker.terminate()));
    const reloaded = await pool.loadModel(await fragileFile());
    assert.deepEqual((await reloaded.predict(numbers)).array(), expected);
    assert.deepEqual((await model.predict(numbers)).array(), expected);
    assert.equal(workers.length, 6);
    pool.close();
  });

  test('and cannot be replaced at once is replaced later', async () => {
    let isExhausted = false;
    const workers = [];
    const make = fragileWorkers(0);
    const pool = await openPool({
      size: 1,
      worker: () => {
        if (isExhausted) throw new Error('no threads left');
        workers.push(make());
        return workers.at(-1);
      },
    });
    const model = await pool.loadModel(await fragileFile());
    isExhausted = true;
    await workers[0].terminate();
    await assert.rejects(model.predict(numbers), /StateError: .*no threads left/);
    isExhausted = false;
    assert.deepEqual((await model.predict(numbers)).array(), expected);
    pool.close();
  });

  test('by a trap counts as broken down', async () => {
    const { errorFromWire, errorToWire, isCrash } = await internals('worker/failures.ts');
    const roundTrip = (error) => errorFromWire(errorToWire(error));
    assert.ok(isCrash(roundTrip(new WebAssembly.RuntimeError('unreachable'))));
    assert.ok(!isCrash(roundTrip(new TypeError('x'))));
    assert.ok(!isCrash(roundTrip(Object.assign(new Error('x'), { kind: 'state' }))));
    assert.ok(new CrashError('x') instanceof mf.StateError);
  });
});

test('a closed pool refuses calls, also those that wait', async () => {
  const pool = await openPool({ size: 1 });
  const model = await pool.loadModel(brackets);
  const calls = Array.from({ length: 5 }, () => model.predict([[1, 2]]));
  const settled = Promise.allSettled(calls);
  pool.close();
  for (const { status, reason } of await settled) {
    assert.deepEqual([status, reason?.name], ['rejected', 'StateError']);
  }
  await assert.rejects(model.predict([[1]]), /StateError: the pool was closed/);
  await assert.rejects(pool.loadModel(brackets), /StateError: the pool was closed/);
});

test('the number of workers is limited', async () => {
  for (const size of [0, 65, 1.5, '2']) {
    await assert.rejects(openPool({ size }), mf.ValueError, String(size));
  }
  await assert.rejects(openPool({ size: 1, queue: 0 }), /ValueError: queue is 0/);
});

suite('shards', () => {
  let shards;
  before(async () => {
    shards = await internals('worker/shards.ts');
  });
  const work = (rows, cuts) =>
    cuts.map(({ from, to }) => rows.slice(from, to).reduce((sum, cost) => sum + cost, 0));

  test('have equal work, not equal numbers of rows', () => {
    // The first quarter of the rows is ten times as long as the others.
    const rows = Float64Array.from({ length: 64 }, (_, i) => (i < 16 ? 100 : 10));
    const cuts = shards.cutByWork(rows, 2, 64);
    assert.deepEqual([cuts[0].from, cuts.at(-1).to, cuts.length], [0, 64, 2]);
    const [a, b] = work(rows, cuts);
    assert.ok(Math.abs(a - b) <= 100, `${a} and ${b}`);
    assert.ok(cuts[0].to < 16);
  });

  test('begin with the longest rows, if rows differ', () => {
    assert.deepEqual([...shards.heaviestFirst(Float64Array.of(3, 9, 1, 9))], [1, 3, 0, 2]);
    assert.equal(shards.heaviestFirst(Float64Array.of(5, 5, 5)), null);
  });

  test('are reordered with their masks, and the order is restored', async () => {
    const { arrangeCall, restoreOrder } = await internals('worker/rows.ts');
    const mask = { data: Uint8Array.of(1, 1, 1, 0, 0, 0), shape: [3, 2], dtype: 'bool' };
    const item = { data: Int32Array.of(1, 2, 3, 0, 0, 0), shape: [3, 2], dtype: 'int32', mask };
    const x = { form: 'one', keys: [], items: [item] };
    const order = Int32Array.of(2, 0, 1);
    const arranged = arrangeCall({ x, masks: [mask], options: {}, tensors: {} }, order);
    assert.deepEqual([...arranged.x.items[0].data], [0, 0, 1, 2, 3, 0]);
    assert.deepEqual([...arranged.x.items[0].mask.data], [0, 0, 1, 1, 1, 0]);
    assert.deepEqual([...arranged.masks[0].data], [0, 0, 1, 1, 1, 0]);
    const restored = restoreOrder(arranged.x, order);
    assert.deepEqual([...restored.items[0].data], [...item.data]);
    assert.equal(restoreOrder(x, Int32Array.of(0, 1)), null);
  });

  test('are contiguous, contain every row, and are empty without rows', () => {
    for (const count of [1, 2, 5, 33, 500]) {
      const rows = Float64Array.from({ length: count }, (_, i) => 1 + ((i * 37) % 50));
      for (const workers of [1, 2, 3, 8]) {
        const cuts = shards.cutByWork(rows, workers, 32);
        assert.ok(cuts.length <= Math.max(workers * 4, 1));
        cuts.forEach(({ from, to }, i) => {
          assert.equal(from, i === 0 ? 0 : cuts[i - 1].to);
          assert.ok(to > from);
        });
        assert.equal(cuts.at(-1).to, count);
      }
    }
  });

  test('count kept steps: of a mask, of ids, of steps of features', () => {
    const x = (data, shape) => ({ data: Float32Array.from(data), shape, dtype: 'float32' });
    const call = (item, masks = null) => ({ x: { form: 'one', keys: [], items: [item] }, masks });
    const ids = x([1, 2, 0, 0, 3, 0], [2, 3]);
    assert.deepEqual([...shards.workOf(call(ids), 2, true)], [3, 2]);
    assert.deepEqual([...shards.workOf(call(ids), 2, false)], [1, 1]);
    const mask = { data: Uint8Array.of(1, 1, 1, 0, 1, 1), shape: [2, 3], dtype: 'bool' };
    assert.deepEqual([...shards.workOf(call(ids, [mask]), 2, true)], [4, 3]);
    const steps = x([0, 0, 0, 5, 1, 1, 0, 0], [2, 2, 2]);
    assert.deepEqual([...shards.workOf(call(steps), 2, true)], [2, 2]);
  });
});
