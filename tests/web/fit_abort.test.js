// SPDX-License-Identifier: MIT
// fit lets other tasks run, obeys its signal, and frees all its memory.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import * as mf from '../../dist/train.js';
import {
  compiledModel,
  leavesNothing,
  line,
  linear,
  live,
  rowsOf,
  sgd,
  weightsOf,
} from '../support/train.js';
import { collectGarbage } from '../support/garbage.js';

before(() => mf.ready());

const { callbacks, Layer, layers, ops, Sequential, tensor } = mf;
const data = line(8);
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** A layer whose call lasts `time` milliseconds. */
class Slow extends Layer {
  constructor(time) {
    super({});
    this.time = time;
  }
  call(x) {
    const end = performance.now() + this.time;
    while (performance.now() < end);
    return ops.multiply(x, 1);
  }
}

function slow(time) {
  const model = new Sequential([
    new Slow(time),
    layers.dense({ units: 1, kernelInitializer: 'zeros', useBias: false }),
  ]);
  model.build([null, 1]);
  model.compile({ optimizer: sgd(), loss: 'mse' });
  return model;
}

test('an aborted fit rejects with the reason after the current batch, and keeps the weights of that moment', async () => {
  const model = compiledModel();
  weightsOf(model);
  const abort = new AbortController();
  const reason = new Error('no more');
  let batches = 0;
  let weightsAtAbort;
  await leavesNothing(() =>
    assert.rejects(
      model.fit(data.x, data.y, {
        batchSize: 1,
        epochs: 100,
        signal: abort.signal,
        onBatchEnd() {
          if (++batches < 11) return;
          weightsAtAbort = weightsOf(model);
          abort.abort(reason);
        },
      }),
      (error) => error === reason,
    ),
  );
  assert.equal(batches, 11);
  assert.deepEqual(weightsOf(model), weightsAtAbort);
  await model.fit(data.x, data.y);
});

test('the default reason is an AbortError; a signal aborted before the call rejects at once', async () => {
  const model = compiledModel();
  const signal = AbortSignal.abort();
  let hasBegun = false;
  await assert.rejects(
    model.fit(data.x, data.y, { signal, callbacks: [{ onTrainBegin: () => (hasBegun = true) }] }),
    (error) => error.name === 'AbortError',
  );
  assert.equal(hasBegun, false);
});

test('a signal aborts validation, a callback that waits, and batches that are awaited', async () => {
  let abort;
  const forever = () => {
    setTimeout(() => abort.abort(), 1);
    return new Promise(() => {});
  };
  for (const options of [
    { validationData: [data.x, data.y], callbacks: [{ onTestBatchBegin: () => abort.abort() }] },
    { onBatchEnd: forever },
    { callbacks: [{ onTrainBegin: forever }] },
  ]) {
    abort = new AbortController();
    const training = compiledModel().fit(data.x, data.y, { ...options, signal: abort.signal });
    await assert.rejects(training, (error) => error.name === 'AbortError');
  }
  abort = new AbortController();
  setTimeout(() => abort.abort(), 5);
  const never = {
    [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }),
  };
  await assert.rejects(compiledModel().fit(never, { signal: abort.signal }), {
    name: 'AbortError',
  });
});

test('an async generator that waits for ever does not delay the abort', {
  timeout: 5000,
}, async () => {
  const model = compiledModel();
  async function* waiting() {
    yield [[[1]], [[1]]];
    await new Promise(() => {});
  }
  const control = new AbortController();
  setTimeout(() => control.abort(new RangeError('enough')), 20);
  const { signal } = control;
  await assert.rejects(model.fit(waiting, { signal }), { message: 'enough' });
  await model.fit([[1]], [[1]]);
});

test('other tasks run between batches that last longer than a frame, also in validation', async () => {
  const model = slow(17);
  let tasks = 0;
  let isRunning = true;
  const task = () => {
    tasks++;
    if (isRunning) setImmediate(task);
  };
  setImmediate(task);
  const taskCounts = { trained: [], tested: [] };
  const x = rowsOf(6);
  await model.fit(x, x, {
    batchSize: 1,
    validationData: [x, x],
    onBatchEnd: () => void taskCounts.trained.push(tasks),
    callbacks: [{ onTestBatchEnd: () => void taskCounts.tested.push(tasks) }],
  });
  isRunning = false;
  for (const counts of Object.values(taskCounts)) {
    assert.equal(counts.length, 6);
    counts.slice(1).forEach((count, i) => {
      assert.ok(count > counts[i], `${counts}`);
    });
  }
});

test('pauses do not slow down short batches', async () => {
  const model = compiledModel();
  const x = rowsOf(2000).map(([i]) => [i / 2000]);
  const begin = performance.now();
  let tasks = 0;
  let going = true;
  const tick = () => {
    tasks++;
    if (going) setImmediate(tick);
  };
  setImmediate(tick);
  await model.fit(x, x, { batchSize: 1 });
  going = false;
  const time = performance.now() - begin;
  // There is about one pause per 16 ms.
  assert.ok(tasks <= time / 12 + 5, `${tasks} tasks in ${time} ms`);
});

test('frees all memory after success, validation, shuffling, weights, callbacks', async () => {
  const layer = {
    kernelRegularizer: 'l2',
    activityRegularizer: { class_name: 'L1', config: { l1: 0.1 } },
  };
  const model = compiledModel({
    layer,
    compile: { metrics: ['mae', mf.metrics.rootMeanSquaredError()], weightedMetrics: ['mae'] },
  });
  // The model keeps the losses of its last batch.
  await model.fit(data.x, data.y);
  assert.ok(model.losses.length > 0);
  const masked = tensor(data.x).withMask(data.x.map((_, i) => i !== 1));
  for (const x of [data.x, masked]) {
    for (const options of [
      {},
      { shuffle: false, batchSize: 3 },
      { validationSplit: 0.25, sampleWeight: rowsOf(8).flat() },
      { validationData: [masked, data.y, rowsOf(8).flat()], classWeight: { 0: 2 } },
      {
        epochs: 3,
        callbacks: [
          callbacks.earlyStopping({ monitor: 'loss', restoreBestWeights: true }),
          callbacks.reduceLROnPlateau({ monitor: 'loss' }),
          callbacks.modelCheckpoint(() => {}),
        ],
      },
    ]) {
      await leavesNothing(() => model.fit(x, data.y, options));
    }
  }
  await leavesNothing(() => model.fit(() => [[data.x, data.y]], { epochs: 2 }));
});

test('inside tidy() the data live as long as the call', async () => {
  const model = compiledModel();
  await collectGarbage();
  const start = live();
  const training = mf.tidy(() => [model.fit(data.x, data.y, { epochs: 3, batchSize: 1 })])[0];
  const { epoch } = await training;
  assert.equal(epoch.length, 3);
  weightsOf(model);
  assert.ok(live().tensors <= start.tensors + 1);
});

test('fit does not dispose of its arguments', async () => {
  const model = compiledModel();
  const [x, y, w] = [tensor(data.x), tensor(data.y), tensor(rowsOf(8).flat())];
  await model.fit(x, y, { sampleWeight: w, validationData: [x, y, w], validationSplit: 0.5 });
  await model.fit(x, y, { classWeight: { 0: 2 }, validationSplit: 0.5 });
  await model.fit(() => [[x, y, w]], { epochs: 2 });
  await model.trainOnBatch(x, y, { classWeight: { 0: 1 } });
  for (const argument of [x, y, w]) assert.ok(!argument.isDisposed);
});

test('memory use is flat over thousands of steps', async () => {
  await collectGarbage();
  const model = compiledModel({ compile: { metrics: ['mae'] } });
  const x = rowsOf(1000).map(([i]) => [i / 1000]);
  const heaps = [];
  await model.fit(x, x, {
    batchSize: 2,
    epochs: 8,
    onEpochEnd: () => heaps.push([mf.memory().tensors, mf.memory().bytes, mf.memory().heapBytes]),
  });
  for (const heap of heaps.slice(1)) assert.deepEqual(heap, heaps[1]);
});

test('disposing of the model frees what compile created', async () => {
  await collectGarbage();
  const start = live();
  const model = linear();
  model.compile({ optimizer: sgd(), loss: 'mse' });
  await model.fit(data.x, data.y);
  model.compile({ optimizer: sgd(), loss: 'mae' });
  await model.fit(data.x, data.y);
  model.dispose();
  assert.deepEqual(live(), start);
  await wait(0);
});
