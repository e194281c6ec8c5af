// SPDX-License-Identifier: MIT
// Ops that call functions: cond, whileLoop, foriLoop, scan and map.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import * as mf from '../../dist/train.js';

before(() => mf.ready());
const { Input, ops, tensor } = mf;

test('shape has null for unknown sizes', () => {
  assert.deepEqual(ops.shape([[1, 2]]), [1, 2]);
  assert.deepEqual(ops.shape(Input({ shape: [null, 3] })), [null, null, 3]);
});

test('cond calls only the chosen function', () => {
  const fail = () => assert.fail('the other function');
  assert.equal(
    ops.cond(tensor([1]), () => 'a', fail),
    'a',
  );
  assert.equal(
    ops.cond(false, fail, () => 'b'),
    'b',
  );
});

test('whileLoop stops at its condition or at maximumIterations', () => {
  const below = (limit) => (i) => ops.less(i, limit);
  const next = (i, x) => [ops.add(i, 1), ops.multiply(x, 2)];
  const numbers = (variables) => variables.map((x) => Number(x.item?.() ?? x));
  assert.deepEqual(numbers(ops.whileLoop(below(5), next, [0, 1])), [5, 32]);
  assert.deepEqual(numbers(ops.whileLoop(below(5), next, [7, 1])), [7, 1]);
  const max = { maximumIterations: 2 };
  assert.deepEqual(numbers(ops.whileLoop(() => true, next, [0, 1], max)), [2, 4]);
  assert.throws(
    () =>
      ops.whileLoop(
        () => true,
        () => [1],
        [0, 1],
      ),
    mf.ValueError,
  );
});

test('foriLoop passes each index', () => {
  assert.deepEqual(
    ops.foriLoop(2, 5, (i, list) => [...list, i], []),
    [2, 3, 4],
  );
});

test('scan carries a value, stacks results, and runs in reverse', () => {
  const sum = (carry, x) => {
    const next = ops.add(carry, x);
    return [next, next];
  };
  const rows = [
    [1, 2],
    [3, 4],
    [5, 6],
  ];
  const [last, sums] = ops.scan(sum, [0, 0], rows);
  assert.deepEqual(last.array(), [9, 12]);
  assert.deepEqual(sums.array(), ops.cumsum(rows, { axis: 0 }).array());
  const [, reversed] = ops.scan(sum, [0, 0], rows, { reverse: true });
  assert.deepEqual(reversed.array(), [
    [9, 12],
    [8, 10],
    [5, 6],
  ]);
  const [count, nothing] = ops.scan((i) => [i + 1, null], 0, null, { length: 3 });
  assert.deepEqual([count, nothing], [3, null]);
  assert.throws(() => ops.scan(sum, 0), mf.ValueError);
  assert.throws(() => ops.scan(sum, [0, 0], rows, { length: 2 }), mf.ValueError);
});

test('gradients pass through scan', () => {
  const x = tensor([1, 2, 3]);
  const f = () => ops.scan((p, each) => [ops.multiply(p, each), null], tensor(1.5), x)[0];
  const { gradients } = mf.valueAndGradients(f, [x]);
  assert.deepEqual(gradients[0].array(), [9, 4.5, 3]);
});

test('map stacks results of rows', () => {
  assert.deepEqual(
    ops
      .map(
        (row) => ops.sum(row),
        [
          [1, 2],
          [3, 4],
        ],
      )
      .array(),
    [3, 7],
  );
  assert.throws(() => ops.map((x) => x, tensor([], { shape: [0, 2] })), mf.ValueError);
});

test('stopGradient hides what is before it, also in a model from a file', async () => {
  const x = tensor([2, 3]);
  const f = () => ops.sum(ops.multiply(x, ops.stopGradient(x)));
  assert.deepEqual(mf.valueAndGradients(f, [x]).gradients[0].array(), [2, 3]);
  const only = () => ops.sum(ops.stopGradient(x));
  assert.equal(mf.valueAndGradients(only, [x]).gradients[0], null);
  const input = Input({ shape: [2] });
  const model = new mf.Model({ inputs: input, outputs: ops.stopGradient(input) });
  const loaded = await mf.loadModel(await model.save());
  const squared = () =>
    ops.sum(ops.multiply(loaded.apply(tensor([[2, 3]])), ops.reshape(x, [1, 2])));
  assert.deepEqual(mf.valueAndGradients(squared, [x]).gradients[0].array(), [2, 3]);
});
