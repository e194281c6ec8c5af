// SPDX-License-Identifier: MIT
// Single rows of concurrent requests, joined in batches.
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import * as mf from '../../dist/index.js';
import { batched, openPool, openWorker, WorkerTensor } from '../../dist/worker.js';
import { fuzzBatched } from '../fuzz/batched.js';
import { collectGarbage } from '../support/garbage.js';
import { live } from '../support/watch.js';
import { classifier } from '../support/workers.js';

/** Ids of a row; lengths from 1 to 19. */
const idsOf = (row, length = 1 + ((row * 7) % 19)) =>
  Array.from({ length }, (_, step) => 1 + ((row * 13 + step * step * 5) % 49));
const rows = Array.from({ length: 60 }, (_, row) => idsOf(row));

/** Counts the calls of a model and their rows. */
function counted(model) {
  const calls = [];
  const { predictAsync } = model;
  model.predictAsync = (inputs, options) => {
    calls.push(options.batchSize);
    return predictAsync.call(model, inputs, options);
  };
  return calls;
}

/** Weights from a formula, so that a bias makes padding visible. */
function withWeights(model) {
  const values = model.weights.map(({ shape }, i) =>
    Float32Array.from(
      { length: shape.reduce((a, b) => a * b, 1) },
      (_, j) => 0.3 * Math.sin(1.7 * j + i) + 0.05,
    ),
  );
  model.setWeights(values);
  return model;
}

const embedding = (maskZero = true) =>
  mf.layers.embedding({ inputDim: 50, outputDim: 8, maskZero });
const ids = () => mf.Input({ shape: [null], dtype: 'int32' });
const sequential = (...layers) => withWeights(new mf.Sequential([ids(), ...layers]));

async function checkRows(model, inputs = rows) {
  const one = batched(model);
  const actual = await Promise.all(inputs.map((row) => one.predict(row)));
  actual.forEach((result, i) => {
    const expected = mf.tidy(() => model.predict([inputs[i]]).array())[0];
    assert.deepEqual(result.array(), expected, `row ${i}`);
  });
}

before(() => mf.ready({ onMaskDropped: 'silent' }));

suite('batched over a model of this thread', () => {
  test('returns the bits of single calls, and joins ragged rows if the model masks', async () => {
    const { layers } = mf;
    const models = [
      sequential(embedding(), layers.lstm({ units: 9 }), layers.dense({ units: 3 })),
      sequential(embedding(), layers.gru({ units: 9, returnSequences: true })),
      sequential(embedding(), layers.globalAveragePooling1D()),
      (await classifier()).model,
    ];
    for (const model of models) {
      const calls = counted(model);
      await checkRows(model);
      calls.length = 0;
      const one = batched(model);
      for (let round = 0; round < 2; round++) {
        await Promise.all(rows.map((row) => one.predict(row)));
      }
      assert.deepEqual(calls.slice(-1), [60], model.name);
    }
  });

  test('joins rows of equal shape only, if padding would change numbers', async () => {
    const { layers } = mf;
    const conv = () => layers.conv1D({ filters: 3, kernelSize: 3, padding: 'same' });
    const models = [
      sequential(embedding(), conv(), layers.globalMaxPooling1D()),
      sequential(embedding(false), layers.lstm({ units: 4 })),
      sequential(
        embedding(),
        layers.lstm({ units: 4, goBackwards: true }),
        layers.dense({ units: 2 }),
      ),
      sequential(embedding(false), layers.lstm({ units: 4, returnSequences: true })),
    ];
    for (const model of models) await checkRows(model);
    const calls = counted(models[0]);
    const one = batched(models[0]);
    const two = [...Array(20).fill(rows[2]), ...Array(20).fill(rows[3])];
    await Promise.all(two.map((row) => one.predict(row)));
    assert.deepEqual(calls, [20, 20]);
  });

  test('pads with another value, or not at all', async () => {
    const make = () =>
      withWeights(
        new mf.Sequential([
          mf.Input({ shape: [null, 2] }),
          mf.layers.masking({ maskValue: -1 }),
          mf.layers.gru({ units: 3 }),
        ]),
      );
    const steps = [
      [[1, 2]],
      [
        [3, 4],
        [0, 0],
        [5, 6],
      ],
    ];
    for (const [padValue, last] of [
      [-1, 2],
      [0, 1],
      [null, 1],
    ]) {
      const model = make();
      const calls = counted(model);
      const one = batched(model, { padValue });
      for (let round = 0; round < 2; round++) {
        const results = await Promise.all(steps.map((row) => one.predict(row)));
        results.forEach((result, i) => {
          assert.deepEqual([result.array()], model.predict([steps[i]]).array());
        });
      }
      assert.equal(calls.at(-1), last, String(padValue));
    }
  });

  test('computes several inputs and outputs', async () => {
    const [words, facts] = [ids(), mf.Input({ shape: [2], name: 'facts' })];
    const read = mf.layers.lstm({ units: 3 }).apply(embedding().apply(words));
    const joined = mf.layers.concatenate().apply([read, facts]);
    const model = new mf.Model({
      inputs: { words, facts },
      outputs: { score: mf.layers.dense({ units: 1 }).apply(joined), read },
    });
    const one = batched(model);
    const inputs = rows.map((row, i) => ({ words: row, facts: [i, -i] }));
    const results = await Promise.all(inputs.map((row) => one.predict(row)));
    results.forEach(({ score, read }, i) => {
      const expected = model.predict({ words: [rows[i]], facts: [[i, -i]] });
      assert.ok(score instanceof WorkerTensor);
      assert.deepEqual([score.shape, read.shape], [[1], [3]]);
      assert.deepEqual(
        [[score.array()], [read.array()]],
        [expected.score.array(), expected.read.array()],
      );
    });
  });

  test('refuses a wrong row alone, in each batch', async () => {
    const { model } = await classifier();
    const one = batched(model);
    for (let round = 0; round < 3; round++) {
      const wrong = new Map([
        [7, [[1, 2]]],
        [20, [50]],
        [21, ['a']],
        [33, 5],
        [40, undefined],
        [59, [[1], [2, 3]]],
      ]);
      const results = await Promise.allSettled(
        rows.map((row, i) => one.predict(wrong.has(i) ? wrong.get(i) : row)),
      );
      results.forEach(({ status, value, reason }, i) => {
        if (wrong.has(i)) {
          assert.equal(status, 'rejected', String(i));
          assert.ok(reason instanceof mf.MaskflowError, `${i}: ${reason}`);
        } else {
          assert.deepEqual([value.array()], model.predict([rows[i]]).array());
        }
      });
    }
  });

  test('returns what single calls return, for random models and requests', async () => {
    // `npm run fuzz -- batched` tries more.
    assert.deepEqual(await fuzzBatched(0, 150), []);
  });

  test('leaves no tensor behind, also after errors', async () => {
    const { model } = await classifier();
    const one = batched(model);
    await collectGarbage();
    const start = live();
    for (let round = 0; round < 3; round++) {
      await Promise.allSettled([...rows, [50], [[1]]].map((row) => one.predict(row)));
    }
    assert.deepEqual(live(), start);
  });

  test('fills batches up to maxBatch', async () => {
    const { model } = await classifier();
    const calls = counted(model);
    const one = batched(model, { maxBatch: 16 });
    await Promise.all(Array.from({ length: 50 }, () => one.predict([1, 2])));
    assert.deepEqual(calls, [16, 16, 16, 2]);
  });

  test('computes a row with a mask of its own', async () => {
    const gru = mf.layers.gru({ units: 3 });
    const model = withWeights(new mf.Sequential([mf.Input({ shape: [null, 1] }), gru]));
    const steps = [[4], [5], [6]];
    const mask = [true, false, true];
    const masked = mf.tensor([steps]).withMask([mask]);
    const row = mf.tensor(steps).withMask(mask);
    const one = batched(model);
    const results = await Promise.all([row, steps, row].map((input) => one.predict(input)));
    const [expected, plain] = [masked, [steps]].map((x) => model.predict(x).array()[0]);
    assert.deepEqual(
      results.map((result) => result.array()),
      [expected, plain, expected],
    );
    assert.notDeepEqual(expected, plain);
  });

  test('accepts copies: changing an input later has no effect', async () => {
    const { model } = await classifier();
    const one = batched(model);
    const row = Int32Array.of(1, 2, 3);
    const result = one.predict(row);
    row.fill(9);
    assert.deepEqual([(await result).array()], model.predict([[1, 2, 3]]).array());
    const tensor = mf.tensor([4, 5, 6], { dtype: 'int32' });
    const other = one.predict(tensor);
    tensor.dispose();
    assert.deepEqual([(await other).array()], model.predict([[4, 5, 6]]).array());
  });

  test('refuses stateful models, other objects and invalid options', async () => {
    const stateful = new mf.Sequential([
      mf.Input({ batchShape: [2, 1, 1] }),
      mf.layers.lstm({ units: 2, stateful: true }),
    ]);
    assert.throws(() => batched(stateful), /UnsupportedError: .*stateful layers/);
    for (const model of [null, undefined, {}, 'm', mf]) {
      assert.throws(() => batched(model), mf.ValueError);
    }
    const { model } = await classifier();
    for (const options of [
      { maxBatch: 0 },
      { maxBatch: 1.5 },
      { maxDelay: -1 },
      { maxDelay: Number.NaN },
      { padValue: '0' },
      { size: 3 },
      3,
    ]) {
      assert.throws(() => batched(model, options), mf.MaskflowError, JSON.stringify(options));
    }
    await assert.rejects(batched(model).predict([1], { mask: [1] }), mf.MaskflowError);
    await assert.rejects(batched(model).predict([1], { signal: 1 }), mf.ValueError);
  });
});

suite('batched over workers', () => {
  let pool;
  let worker;
  let local;
  let file;
  before(async () => {
    ({ model: local, file } = await classifier());
    [pool, worker] = await Promise.all([openPool({ size: 2 }), openWorker()]);
  });
  after(() => {
    pool.close();
    worker.close();
  });

  test('returns the bits of single calls', async () => {
    for (const place of [pool, worker]) {
      const one = batched(await place.loadModel(file));
      for (let round = 0; round < 3; round++) {
        const results = await Promise.all(rows.map((row) => one.predict(row)));
        results.forEach((result, i) => {
          assert.deepEqual([result.array()], local.predict([rows[i]]).array());
        });
      }
    }
  });

  test('lets rows wait at most maxDelay while a batch runs', async () => {
    const running = [];
    const slow = {
      name: 'slow',
      predictCall: true,
      predictAsync: async (inputs) => {
        running.push(inputs.shape[0]);
        await setTimeout(200);
        return new WorkerTensor({ dtype: 'float32', shape: inputs.shape, data: inputs.data() });
      },
    };
    const one = batched(slow, { maxDelay: 20 });
    const first = one.predict([1]);
    await setTimeout(5);
    const others = [2, 3].map((number) => one.predict([number]));
    assert.equal(one.waiting, 2);
    await setTimeout(60);
    assert.deepEqual([one.waiting, running], [0, [1, 2]]);
    const results = await Promise.all([first, ...others]);
    assert.deepEqual(
      results.map((result) => result.item()),
      [1, 2, 3],
    );
  });

  test('aborts one row, and the call if all its rows are aborted', async () => {
    const one = batched(await pool.loadModel(file));
    const reason = new Error('enough');
    const control = new AbortController();
    const { signal } = control;
    const early = one.predict(rows[0], { signal });
    const kept = one.predict(rows[1]);
    control.abort(reason);
    await assert.rejects(early, (error) => error === reason);
    await assert.rejects(one.predict(rows[0], { signal }), (error) => error === reason);
    assert.deepEqual([(await kept).array()], local.predict([rows[1]]).array());
    const late = new AbortController();
    const long = one.predict(idsOf(3, 200_000), { signal: late.signal });
    await setTimeout(20);
    late.abort(reason);
    await assert.rejects(long, (error) => error === reason);
    await one.predict(rows[1]);
    assert.equal(pool.pending, 0);
  });

  test('dispose() rejects the rows that wait, and those that follow', async () => {
    const model = await pool.loadModel(file);
    const one = batched(model);
    const waiting = one.predict(rows[0]);
    one.dispose();
    await assert.rejects(waiting, /StateError: the batched model was disposed of/);
    await assert.rejects(one.predict(rows[0]), /StateError: .*call batched\(\) again/);
    await model.predict([rows[0]]);
    model.dispose();
    await assert.rejects(batched(model).predict(rows[0]), mf.StateError);
  });

  test('keeps numbers and errors of random requests apart', async () => {
    const one = batched(await pool.loadModel(file), { maxBatch: 8, maxDelay: 1 });
    let seed = 3;
    const random = (limit) => {
      seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
      return (seed >>> 8) % limit;
    };
    const requests = Array.from({ length: 300 }, async (_, i) => {
      await setTimeout(random(30));
      const kind = random(10);
      if (kind === 0) return assert.rejects(one.predict([99]), mf.ValueError);
      if (kind === 1) return assert.rejects(one.predict([[1, 2]]), mf.MaskflowError);
      if (kind === 2) {
        const signal = AbortSignal.timeout(random(3));
        return one.predict(rows[i % 60], { signal }).catch(({ name }) => {
          assert.equal(name, 'TimeoutError');
        });
      }
      const result = await one.predict(rows[i % 60]);
      assert.deepEqual([result.array()], local.predict([rows[i % 60]]).array());
    });
    await Promise.all(requests);
    assert.equal(one.waiting, 0);
  });
});
