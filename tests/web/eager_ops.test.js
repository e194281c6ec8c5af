// SPDX-License-Identifier: MIT
// Ops whose results have shapes that depend on numbers, and rearrange, equal real Keras.
// tests/fixtures/ops/eager.py recorded the calls.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import * as mf from '../../dist/train.js';
import { callOf, firstDifference, recordedCalls } from '../support/op_calls.js';

before(() => mf.ready());
const { Input, ops, tensor } = mf;

const calls = recordedCalls('eager');
for (const op of new Set(calls.map((call) => call.op))) {
  test(`${op} equals Keras`, () => {
    for (const [i, call] of calls.entries()) {
      if (call.op !== op) continue;
      const { pattern, ...options } = call.options;
      const required = pattern === undefined ? {} : { pattern };
      const results = callOf({ ...call, required, options }).run();
      assert.equal(firstDifference(results, call.results, 'result'), null, `call ${i}`);
    }
  });
}

test('unique sorts NaN last, as one value', () => {
  const [values, counts] = ops.unique([Number.NaN, 2, Number.NaN, 1], { returnCounts: true });
  assert.deepEqual([...values.data().slice(0, 2), values.shape], [1, 2, [4]]);
  assert.deepEqual(counts.array(), [1, 1, 1, 1]);
});

test('graphs refuse ops whose shapes depend on numbers', () => {
  const x = Input({ shape: [3] });
  for (const op of ['nonzero', 'unique', 'bincount', 'histogram']) {
    assert.throws(
      () => ops[op](x),
      (error) => error instanceof mf.UnsupportedError && /custom layer/.test(error.message),
      op,
    );
  }
});

test('impossible counts and bins are refused', () => {
  for (const call of [
    () => ops.bincount([-1]),
    () => ops.bincount([0.5]),
    () => ops.bincount([2 ** 29]),
    () => ops.bincount([1, 2], { weights: [1] }),
    () => ops.histogram([1], { bins: 0 }),
    () => ops.histogram([1], { range: [2, 1] }),
    () => ops.histogram([Number.NaN]),
  ]) {
    assert.throws(call, mf.ValueError, String(call));
  }
});

test('argpartition has the smallest elements first', () => {
  const x = [5, 1, 4, 2, 3];
  const order = ops.argpartition(x, 2).array();
  assert.deepEqual([...order].sort(), [0, 1, 2, 3, 4]);
  assert.equal(x[order[2]], 3);
  assert.deepEqual(
    order
      .slice(0, 2)
      .map((i) => x[i])
      .sort(),
    [1, 2],
  );
});

test('rearrange works on symbolic tensors with one axis of unknown size', () => {
  const x = Input({ shape: [2, 4] });
  const y = ops.rearrange(x, 'b t (h d) -> b h t d', { h: 2 });
  assert.deepEqual(y.shape, [null, 2, 2, 2]);
  const model = new mf.Model({ inputs: x, outputs: y });
  const data = tensor([
    [
      [1, 2, 3, 4],
      [5, 6, 7, 8],
    ],
  ]);
  assert.deepEqual(model.predict(data).array().flat(9), [1, 2, 5, 6, 3, 4, 7, 8]);
  const steps = Input({ shape: [null, 4] });
  assert.deepEqual(ops.rearrange(steps, 'b t f -> b f t').shape, [null, 4, null]);
  assert.throws(
    () => ops.rearrange(steps, 'b t (h d) -> b h t d', { h: 2 }),
    (error) => error instanceof mf.ShapeError && /several axes of unknown size/.test(error.message),
  );
});

test('rearrange refuses patterns that do not fit', () => {
  const x = ops.zeros([2, 3]);
  for (const [pattern, sizes] of [
    ['a b', {}],
    ['a b -> a', {}],
    ['a a -> a a', {}],
    ['a b c -> a b c', {}],
    ['a (b c) -> a b c', {}],
    ['a (b c) -> a b c', { b: 2 }],
    ['a b! -> a b!', {}],
  ]) {
    assert.throws(() => ops.rearrange(x, pattern, sizes), mf.MaskflowError, pattern);
  }
});
