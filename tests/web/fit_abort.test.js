// SPDX-License-Identifier: MIT
// fit lets other tasks in, hears a signal, and keeps nothing alive.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import * as mf from '../../dist/train.js';
import {
  compiled,
  leavesNothing,
  line,
  linear,
  live,
  rowsOf,
  sgd,
  weightsOf,
} from '../support/train.js';

before(() => mf.ready());

const { callbacks, Layer, layers, ops, Sequential, tensor } = mf;
const data = line(8);
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** A layer that takes its time, in milliseconds. */
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

test('an aborted fit rejects with the reason after the batch it is at; weights stay as they are then', async () => {
  const model = compiled();
  weightsOf(model);
  const abort = new AbortController();
  const reason = new Error('no more');
  let batches = 0;
  let kept;
  await leavesNothing(() =>
    assert.rejects(
      model.fit(data.x, data.y, {
        batchSize: 1,
        epochs: 100,
        signal: abort.signal,
        onBatchEnd() {
          if (++batches < 11) return;
          kept = weightsOf(model);
          abort.abort(reason);
        },
      }),
      (error) => error === reason,
    ),
  );
  assert.equal(batches, 11);
  assert.deepEqual(weightsOf(model), kept);
  await model.fit(data.x, data.y);
});

test('AbortError by default; at once where the signal was aborted before', async () => {
  const model = compiled();
  const signal = AbortSignal.abort();
  let begun = false;
  await assert.rejects(
    model.fit(data.x, data.y, { signal, callbacks: [{ onTrainBegin: () => (begun = true) }] }),
    (error) => error.name === 'AbortError',
  );
  assert.equal(begun, false);
});

test('a signal is heard in validation, while a callback waits, and while batches are awaited', async () => {
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
    const run = compiled().fit(data.x, data.y, { ...options, signal: abort.signal });
    await assert.rejects(run, (error) => error.name === 'AbortError');
  }
  abort = new AbortController();
  setTimeout(() => abort.abort(), 5);
  const never = {
    [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }),
  };
  await assert.rejects(compiled().fit(never, { signal: abort.signal }), { name: 'AbortError' });
});

test('an async generator that waits for ever does not hold up the end', {
  timeout: 5000,
}, async () => {
  const model = compiled();
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

test('other tasks run between batches that take longer than a frame, in validation, too', async () => {
  const model = slow(17);
  let tasks = 0;
  let going = true;
  const task = () => {
    tasks++;
    if (going) setImmediate(task);
  };
  setImmediate(task);
  const seen = { trained: [], tested: [] };
  const x = rowsOf(6);
  await model.fit(x, x, {
    batchSize: 1,
    validationData: [x, x],
    onBatchEnd: () => void seen.trained.push(tasks),
    callbacks: [{ onTestBatchEnd: () => void seen.tested.push(tasks) }],
  });
  going = false;
  for (const counts of Object.values(seen)) {
    assert.equal(counts.length, 6);
    counts.slice(1).forEach((count, i) => {
      assert.ok(count > counts[i], `${counts}`);
    });
  }
});

test('quick batches are not slowed down by pauses', async () => {
  const model = compiled();
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
  // About one pause in 16 ms.
  assert.ok(tasks <= time / 12 + 5, `${tasks} tasks in ${time} ms`);
});

test('nothing is kept alive: success, validation, shuffling, weights, callbacks', async () => {
  const layer = {
    kernelRegularizer: 'l2',
    activityRegularizer: { class_name: 'L1', config: { l1: 0.1 } },
  };
  const model = compiled({
    layer,
    compile: { metrics: ['mae', mf.metrics.rootMeanSquaredError()], weightedMetrics: ['mae'] },
  });
  weightsOf(model);
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

test('in a tidy the data live as long as the call', async () => {
  const model = compiled();
  const start = live();
  const training = mf.tidy(() => [model.fit(data.x, data.y, { epochs: 3, batchSize: 1 })])[0];
  const { epoch } = await training;
  assert.equal(epoch.length, 3);
  weightsOf(model);
  assert.ok(live().tensors <= start.tensors + 1);
});

test('tensors that were given stay theirs', async () => {
  const model = compiled();
  const [x, y, w] = [tensor(data.x), tensor(data.y), tensor(rowsOf(8).flat())];
  await model.fit(x, y, { sampleWeight: w, validationData: [x, y, w], validationSplit: 0.5 });
  await model.fit(x, y, { classWeight: { 0: 2 }, validationSplit: 0.5 });
  await model.fit(() => [[x, y, w]], { epochs: 2 });
  await model.trainOnBatch(x, y, { classWeight: { 0: 1 } });
  for (const given of [x, y, w]) assert.ok(!given.isDisposed);
});

test('memory is flat over thousands of steps', async () => {
  const model = compiled({ compile: { metrics: ['mae'] } });
  const x = rowsOf(1000).map(([i]) => [i / 1000]);
  const heaps = [];
  await model.fit(x, x, {
    batchSize: 2,
    epochs: 8,
    onEpochEnd: () => heaps.push([mf.memory().tensors, mf.memory().bytes, mf.memory().heapBytes]),
  });
  for (const heap of heaps.slice(1)) assert.deepEqual(heap, heaps[1]);
});

test('disposing of the model gives back what compile made', async () => {
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
