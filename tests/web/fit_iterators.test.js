// SPDX-License-Identifier: MIT
// fit with an iterator of batches: which batches each epoch receives, and when the iterator is
// closed.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import * as mf from '../../dist/train.js';
import { recording, sgd, warnings } from '../support/train.js';

before(() => mf.ready());

/** Returns an iterator of batches with one row, 0, 1, 2, …, and counters of its calls. */
function countingIterator(length = Number.POSITIVE_INFINITY) {
  const calls = { next: 0, return: 0 };
  const iterator = {
    [Symbol.iterator]: () => iterator,
    next() {
      const row = calls.next++;
      return row < length ? { done: false, value: [[[row]], [[0]]] } : { done: true };
    },
    return() {
      calls.return++;
      return { done: true };
    },
  };
  return { iterator, asked: calls };
}

/** Returns the first numbers of the batches of each epoch. */
async function epochsOf(batches, options) {
  const { model, recorder } = recording();
  const epochs = [];
  await model.fit(batches, undefined, {
    ...options,
    onEpochEnd: () => {
      epochs.push(recorder.batches.splice(0).flat());
    },
  });
  model.dispose();
  return epochs;
}

test('with stepsPerEpoch the next epoch continues with the same iterator', async () => {
  const { iterator, asked: calls } = countingIterator();
  const messages = await warnings(async () => {
    assert.deepEqual(await epochsOf(iterator, { stepsPerEpoch: 2, epochs: 3 }), [
      [0, 1],
      [2, 3],
      [4, 5],
    ]);
  });
  // fit() requests only the batches that it uses, and closes the iterator once, after the last
  // epoch.
  assert.deepEqual(calls, { next: 6, return: 1 });
  assert.deepEqual(messages, []);
});

/** A function that creates a counting iterator at each call, and the iterators it created. */
function countingIterators(length) {
  const iterators = [];
  const batches = () => {
    iterators.push(countingIterator(length));
    return iterators.at(-1).iterator;
  };
  return { iterators, batches };
}

test('an iterator that ends within an epoch ends that epoch, with a warning', async () => {
  const { iterator, asked: calls } = countingIterator(3);
  const messages = await warnings(async () => {
    const epochs = await epochsOf(iterator, { stepsPerEpoch: 2, epochs: 2 });
    assert.deepEqual(epochs, [[0, 1], [2]]);
  });
  assert.equal(messages.length, 1);
  assert.match(messages[0], /ended after 1 of 2/);
  // The iterator has ended by itself, so there is nothing to close.
  assert.deepEqual(calls, { next: 4, return: 0 });
});

test('an iterator that ends together with its epoch is not called again in that epoch', async () => {
  const { iterator, asked: calls } = countingIterator(4);
  const messages = await warnings(async () => {
    assert.deepEqual(await epochsOf(iterator, { stepsPerEpoch: 2, epochs: 2 }), [
      [0, 1],
      [2, 3],
    ]);
  });
  assert.deepEqual([calls.next, messages], [4, []]);
});

test('a function creates a new iterator only after the previous one has ended', async () => {
  const { iterators, batches } = countingIterators(3);
  const messages = await warnings(async () => {
    const epochs = await epochsOf(batches, { stepsPerEpoch: 2, epochs: 4 });
    assert.deepEqual(epochs, [[0, 1], [2], [0, 1], [2]]);
  });
  assert.deepEqual([iterators.length, messages.length], [2, 2]);
});

test('without stepsPerEpoch an epoch is a whole iterator', async () => {
  const { iterators, batches } = countingIterators(3);
  const messages = await warnings(async () => {
    const epochs = await epochsOf(batches, { epochs: 2 });
    assert.deepEqual(epochs, [
      [0, 1, 2],
      [0, 1, 2],
    ]);
  });
  assert.deepEqual([iterators.length, messages], [2, []]);
  assert.deepEqual(
    iterators.map(({ asked: calls }) => calls),
    [
      { next: 4, return: 0 },
      { next: 4, return: 0 },
    ],
  );
});

test('stopTraining in the middle of an epoch closes the iterator once', async () => {
  for (const stepsPerEpoch of [undefined, 5]) {
    const { iterator, asked: calls } = countingIterator();
    const { model, recorder } = recording();
    await model.fit(iterator, undefined, {
      stepsPerEpoch,
      epochs: 2,
      onBatchEnd: (batch) => {
        model.stopTraining = batch === 1;
      },
    });
    assert.deepEqual(recorder.batches.flat(), [0, 1]);
    assert.deepEqual(calls, { next: 2, return: 1 });
    model.dispose();
  }
});

test('an abort while the first batch is waited for closes the iterator', async () => {
  const controller = new AbortController();
  let closed = 0;
  const never = {
    [Symbol.asyncIterator]: () => never,
    next: () => {
      setTimeout(() => controller.abort(new Error('enough')), 5);
      return new Promise(() => {});
    },
    return: async () => {
      closed++;
      return { done: true };
    },
  };
  const { model } = recording();
  await assert.rejects(model.fit(never, undefined, { signal: controller.signal }), /enough/);
  assert.equal(closed, 1);
  model.dispose();
});

test('an error of closing an iterator that is not waited for reaches the caller', async () => {
  const { iterator } = countingIterator();
  iterator.return = async () => {
    throw new Error('cannot close');
  };
  const { model } = recording();
  const stop = () => {
    model.stopTraining = true;
  };
  await assert.rejects(model.fit(iterator, undefined, { onBatchEnd: stop }), /cannot close/);
  model.dispose();
});

test('trainOnBatch tries a batch in inference mode once, before the first step', async () => {
  class Calls extends mf.Layer {
    modes = [];
    call(x, { training }) {
      this.modes.push(Boolean(training));
      return mf.ops.multiply(x, 1);
    }
  }
  for (const isBuilt of [false, true]) {
    const calls = new Calls();
    const model = new mf.Sequential([calls, mf.layers.dense({ units: 1 })]);
    if (isBuilt) model.build([null, 1]);
    model.compile({ optimizer: sgd(), loss: 'mse' });
    calls.modes = [];
    await model.trainOnBatch([[1]], [[2]]);
    assert.deepEqual(calls.modes.slice(-2), [false, true]);
    calls.modes = [];
    await model.trainOnBatch([[1]], [[2]]);
    await model.testOnBatch([[1]], [[2]]);
    assert.deepEqual(calls.modes, [true, false]);
    model.dispose();
  }
});
