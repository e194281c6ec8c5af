// SPDX-License-Identifier: MIT
// predict and evaluate of batches that arrive later: generators, async iterables and streams.
import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import * as mf from '../../dist/index.js';
import * as recurrent from '../../dist/recurrent.js';
import * as train from '../../dist/train.js';
import { collectGarbage } from '../support/garbage.js';
import { compiledModel, line } from '../support/train.js';

const rows = (count, from = 0) => Array.from({ length: count }, (_, i) => [from + i, i / 7, 1]);
const batchesOf = (x, size) =>
  Array.from({ length: Math.ceil(x.length / size) }, (_, i) => x.slice(i * size, (i + 1) * size));

async function* later(items) {
  for (const item of items) {
    await new Promise((done) => setTimeout(done));
    yield item;
  }
}
const streamOf = (items) =>
  new ReadableStream({
    start(control) {
      for (const item of items) control.enqueue(item);
      control.close();
    },
  });

suite('predict of batches that arrive later', () => {
  const x = rows(11);
  let model;
  let expected;
  before(async () => {
    await train.ready({ seed: 3 });
    model = new mf.Sequential([mf.Input({ shape: [3] }), mf.layers.dense({ units: 2 })]);
    expected = model.predict(x).array();
  });

  const sources = {
    'a generator': (items) => items.values(),
    'an async generator': later,
    'a stream': streamOf,
    'a stream that is not iterable, as in Safari': (items) => {
      const stream = streamOf(items);
      stream[Symbol.asyncIterator] = undefined;
      return stream;
    },
    'a function that returns a list': (items) => () => items,
    'a function that returns a generator': (items) => () => later(items),
    'an iterable object': (items) => ({ [Symbol.iterator]: () => items.values() }),
  };
  for (const [title, make] of Object.entries(sources)) {
    test(`has the outputs of all rows: ${title}`, async () => {
      for (const size of [1, 3, 11]) {
        const y = await model.predict(make(batchesOf(x, size)));
        assert.deepEqual([y.shape, y.array()], [[11, 2], expected]);
        y.dispose();
      }
    });
  }

  test('has the outputs of a model with several, in their structure', async () => {
    const a = mf.Input({ shape: [1], name: 'a' });
    const b = mf.Input({ shape: [null], name: 'b', dtype: 'int32' });
    const two = new mf.Model({
      inputs: { a, b },
      outputs: {
        sum: mf.layers.dense({ units: 2 }).apply(a),
        ids: mf.layers.lambda({ function: (ids) => mf.ops.add(ids, 1) }).apply(b),
      },
    });
    const batch = (from, count) => ({
      a: mf.tensor(
        Float32Array.from({ length: count }, (_, i) => from + i),
        { shape: [count, 1] },
      ),
      b: mf.tensor(
        Int32Array.from({ length: 2 * count }, (_, i) => from * 2 + i),
        { shape: [count, 2] },
      ),
    });
    const whole = two.predict(batch(0, 5));
    const joined = await two.predict(later([batch(0, 2), batch(2, 2), batch(4, 1)]));
    assert.deepEqual(Object.keys(joined).sort(), ['ids', 'sum']);
    for (const name of ['ids', 'sum']) {
      assert.deepEqual(joined[name].array(), whole[name].array());
      assert.equal(joined[name].dtype, whole[name].dtype);
    }
    const listed = new mf.Model({
      inputs: a,
      outputs: [a, mf.layers.dense({ units: 1 }).apply(a)],
    });
    const [first, second] = await listed.predict(later([[[1]], [[2], [3]]]));
    assert.deepEqual(
      [first.array(), second.shape],
      [
        [[1], [2], [3]],
        [3, 1],
      ],
    );
  });

  test('passes arguments of the call on', async () => {
    const masked = new mf.Sequential([
      mf.Input({ shape: [null, 1] }),
      mf.layers.simpleRNN({ units: 1 }),
    ]);
    const batch = [[[1], [2]]];
    const options = { mask: [[true, false]] };
    const y = await masked.predict(later([batch, batch]), options);
    const one = masked.predict(batch, options).array();
    assert.deepEqual(y.array(), [...one, ...one]);
    assert.notDeepEqual(one, masked.predict(batch).array());
  });

  test('reads a batch only after the one before was predicted, and keeps only outputs', async () => {
    let live = 0;
    const counts = [];
    function* source() {
      for (let i = 0; i < 50; i++) {
        counts.push(mf.memory().tensors - live);
        yield rows(4, i);
      }
    }
    await collectGarbage();
    live = mf.memory().tensors;
    const y = await model.predict(source());
    assert.deepEqual(y.shape, [200, 2]);
    assert.ok(
      counts.every((count) => count === 0),
      String(counts),
    );
    y.dispose();
    assert.equal(mf.memory().tensors, live);
  });

  test('rejects with the error of the source, which stays as it is', async () => {
    const fault = new RangeError('the disk is gone');
    async function* broken() {
      yield x;
      throw fault;
    }
    await assert.rejects(model.predict(broken()), (error) => error === fault);
    await assert.rejects(
      model.predict(() => {
        throw fault;
      }),
      (error) => error === fault,
    );
    await collectGarbage();
    const { tensors } = mf.memory();
    await assert.rejects(model.predict(broken()), (error) => error === fault);
    assert.equal(mf.memory().tensors, tensors);
  });

  test('closes a source when a batch does not fit', async () => {
    for (const [bad, name, message] of [
      [[[1, 2]], 'ShapeError', /built for 3 features/],
      ['text', 'ValueError', /./],
      [null, 'ValueError', /missing/],
    ]) {
      let isClosed = false;
      async function* source() {
        try {
          yield x;
          yield bad;
        } finally {
          isClosed = true;
        }
      }
      await assert.rejects(model.predict(source()), { name, message });
      assert.ok(isClosed);
    }
    const steps = new mf.Sequential([
      mf.Input({ shape: [null, 1] }),
      mf.layers.lstm({ units: 1, returnSequences: true }),
    ]);
    await assert.rejects(steps.predict(later([[[[1]]], [[[1], [2]]]])), {
      name: 'ShapeError',
      message:
        /^batch 1 has outputs of shape \[1,2,1\], but those before have rows of shape \[1,1\]; pad/,
    });
  });

  test('stops with a signal: before, between and while it waits', async () => {
    const reason = new Error('enough');
    await assert.rejects(
      model.predict(later([x]), { signal: AbortSignal.abort(reason) }),
      (error) => error === reason,
    );
    const control = new AbortController();
    let isClosed = false;
    async function* endless() {
      try {
        for (let i = 0; ; i++) {
          if (i === 3) control.abort(reason);
          yield x;
        }
      } finally {
        isClosed = true;
      }
    }
    await assert.rejects(
      model.predict(endless(), { signal: control.signal }),
      (error) => error === reason,
    );
    assert.ok(isClosed);
    const waiting = new AbortController();
    let wasCancelled = false;
    const silent = new ReadableStream({
      cancel: () => {
        wasCancelled = true;
      },
    });
    silent[Symbol.asyncIterator] = undefined;
    const pending = model.predict(silent, { signal: waiting.signal });
    setTimeout(() => waiting.abort(reason), 20);
    await assert.rejects(pending, (error) => error === reason);
    assert.equal(typeof wasCancelled, 'boolean');
    await assert.rejects(model.predict(later([x]), { signal: 7 }), { name: 'ValueError' });
  });

  test('refuses options of rows in memory, and a source without batches', async () => {
    for (const options of [{ batchSize: 2 }, { workers: 1 }]) {
      await assert.rejects(model.predict(later([x]), options), {
        name: 'ConfigError',
        message: new RegExp(`leave out ${Object.keys(options)[0]}`),
      });
    }
    await assert.rejects(model.predict(later([])), { name: 'StateError', message: /no batches/ });
    await assert.rejects(
      model.predict(() => 7),
      { name: 'ValueError' },
    );
    await assert.rejects(model.predict(later([x]), { batch_size: 2 }), { name: 'ConfigError' });
  });

  test('is the same in maskflow/recurrent', async () => {
    const small = new recurrent.Sequential([
      recurrent.Input({ shape: [3] }),
      recurrent.layers.dense({ units: 1 }),
    ]);
    const y = await small.predict(later(batchesOf(x, 4)));
    assert.deepEqual(y.array(), small.predict(x).array());
  });
});

suite('evaluate of batches that arrive later', () => {
  const data = line(6);
  const pairs = () => [0, 2, 4].map((i) => [data.x.slice(i, i + 2), data.y.slice(i, i + 2)]);
  before(() => train.ready());

  test('has the numbers of all rows, compiled or with losses', async () => {
    const model = compiledModel();
    const expected = model.evaluate(data.x, data.y, { batchSize: 2 });
    for (const source of [later(pairs()), pairs().values(), streamOf(pairs()), () => pairs()]) {
      assert.deepEqual(await model.evaluate(source), expected);
    }
    const options = { loss: 'mae', metrics: ['mse'] };
    assert.deepEqual(
      await model.evaluate(later(pairs()), options),
      model.evaluate(data.x, data.y, { ...options, batchSize: 2 }),
    );
  });

  test("uses the step of the model's class", async () => {
    let steps = 0;
    class Own extends train.Model {
      constructor() {
        super();
        this.dense = new train.Dense({ units: 1 });
      }
      call(x) {
        return this.dense.apply(x);
      }
      testStep(step) {
        steps++;
        return super.testStep(step);
      }
    }
    const model = new Own();
    model.compile({ loss: 'mse' });
    const whole = model.evaluate(data.x, data.y, { batchSize: 2 });
    steps = 0;
    assert.deepEqual(await model.evaluate(later(pairs())), whole);
    assert.deepEqual(await train.evaluateBatches(model, later(pairs())), whole);
    assert.equal(steps, 6);
  });

  test('passes errors of the source on, stops with a signal, and refuses other options', async () => {
    const model = compiledModel();
    const fault = new RangeError('the disk is gone');
    async function* broken() {
      yield pairs()[0];
      throw fault;
    }
    await assert.rejects(model.evaluate(broken()), (error) => error === fault);
    const control = new AbortController();
    const reason = new Error('enough');
    let isClosed = false;
    async function* endless() {
      try {
        for (let i = 0; ; i++) {
          if (i === 3) control.abort(reason);
          yield pairs()[0];
        }
      } finally {
        isClosed = true;
      }
    }
    await assert.rejects(
      model.evaluate(endless(), { signal: control.signal }),
      (error) => error === reason,
    );
    assert.ok(isClosed);
    await assert.rejects(model.evaluate(later(pairs()), { batchSize: 1 }), { name: 'ConfigError' });
    await assert.rejects(model.evaluate(later(pairs()), [1, 2]), { name: 'ValueError' });
    await assert.rejects(model.evaluate(later([[data.x]])), /targets/);
  });

  test('without a compiled model needs losses', async () => {
    const plain = new mf.Sequential([mf.Input({ shape: [1] }), mf.layers.dense({ units: 1 })]);
    const { loss } = await plain.evaluate(later(pairs()), { loss: 'mse' });
    assert.equal(loss, plain.evaluate(data.x, data.y, { loss: 'mse', batchSize: 2 }).loss);
    await assert.rejects(plain.evaluate(later(pairs())), { name: 'StateError' });
  });
});

test('`steps` ends an evaluation or prediction of batches without an end, and closes them', async () => {
  const model = new train.Sequential([train.layers.dense({ units: 1, kernelInitializer: 'ones' })]);
  model.compile({ optimizer: 'sgd', loss: 'mse' });
  let closed = 0;
  function* endless(batch) {
    try {
      for (let i = 1; ; i++) yield batch(i);
    } finally {
      closed++;
    }
  }
  const pairs = () => endless((i) => [[[i]], [[0]]]);
  const rows = () => endless((i) => [[i]]);
  for (const options of [{}, { loss: 'mse' }, { callbacks: [{}] }]) {
    const { loss } = await model.evaluate(pairs(), { steps: 2, ...options });
    assert.equal(loss, (1 + 4) / 2);
  }
  for (const options of [{}, { callbacks: [{}] }]) {
    const outputs = await model.predict(rows(), { steps: 3, ...options });
    assert.deepEqual(outputs.array(), [[1], [2], [3]]);
  }
  assert.equal(closed, 5);
  for (const steps of [0, 1.5, '2', null]) {
    const message = /^steps is .* but must be a whole number, 1 or more$/;
    await assert.rejects(async () => model.evaluate(pairs(), { steps }), { message });
    await assert.rejects(async () => model.predict(rows(), { steps }), { message });
  }
  await assert.rejects(async () => model.evaluate(pairs(), { stpes: 2 }), {
    message: /did you mean 'steps'\?\); the options are steps, signal, callbacks, verbose$/,
  });
});
