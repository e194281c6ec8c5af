// SPDX-License-Identifier: MIT
// Numbers at the corners of their range: large angles, products of integers, e^x below its limit,
// infinities beside NaN.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { ops, ready, tensor } from '../../dist/train.js';

before(() => ready());

const ints = (data) => tensor(data, { dtype: 'int32' });

/**
 * Returns `count` floats between 2^27 and the largest one, of both signs, from a fixed sequence.
 */
function largeFloats(count) {
  const floats = new Float32Array(count);
  const bits = new Uint32Array(floats.buffer);
  let state = 1;
  for (let i = 0; i < count; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    bits[i] = (0x4d000000 + (state % 0x32800000)) | (i % 2 ? 0x80000000 : 0);
  }
  return floats;
}

for (const name of ['sin', 'cos', 'tan']) {
  test(`${name} reduces large angles exactly`, () => {
    const angles = largeFloats(20_000);
    const results = ops[name](tensor(angles)).data();
    for (const [i, angle] of angles.entries()) {
      const exact = Math[name](angle);
      const close = Math.abs(results[i] - exact) <= 2e-7 * Math.abs(exact);
      assert.ok(close, `${name}(${angle}) is ${results[i]}, not ${exact}`);
    }
    assert.deepEqual([...ops[name](tensor([Infinity, -Infinity, NaN])).data()], [NaN, NaN, NaN]);
  });
}

test('products of integers wrap modulo 2^32', () => {
  const a = Array.from({ length: 6 }, (_, i) => (i * 1_234_567_891) | 0);
  const b = Array.from({ length: 12 }, (_, i) => (i * 987_654_321 + 7) | 0);
  const expected = Array.from({ length: 8 }, (_, at) => {
    const [row, column] = [Math.floor(at / 4), at % 4];
    let sum = 0n;
    for (let i = 0; i < 3; i++) sum += BigInt(a[row * 3 + i]) * BigInt(b[i * 4 + column]);
    return Number(BigInt.asIntN(32, sum));
  });
  const [x, y] = [ints(a).reshape([2, 3]), ints(b).reshape([3, 4])];
  for (const product of [
    ops.matmul(x, y),
    ops.dot(x, y),
    ops.tensordot(x, y, { axes: 1 }),
    ops.einsum('ij,jk->ik', x, y),
    ops.inner(x, y.transpose()),
    ops.matmul(x.reshape([1, 2, 3]), y.reshape([1, 3, 4])),
  ]) {
    assert.equal(product.dtype, 'int32');
    assert.deepEqual([...product.data()], expected);
  }
  // Batches of matrices, and a matrix for each of them.
  const batches = ops.matmul(ops.stack([x, x]), ops.stack([y, y]));
  assert.deepEqual([...batches.data()], [...expected, ...expected]);
});

test('products of integers and floats are floats', () => {
  const mixed = ops.matmul(ints([[2, 3]]), tensor([[0.5], [0.25]]));
  assert.equal(mixed.dtype, 'float32');
  assert.deepEqual(mixed.array(), [[1.75]]);
  const bools = tensor([[true, false, true]], { dtype: 'bool' });
  assert.deepEqual(ops.matmul(bools, bools.transpose()).array(), [[true]]);
});

test('exp reaches the largest float', () => {
  const exponents = Float32Array.of(88, 88.375, 88.38, 88.5, 88.7, 88.72, 88.7228);
  const results = ops.exp(tensor(exponents)).data();
  for (const [i, x] of exponents.entries()) {
    assert.ok(Math.abs(results[i] / Math.exp(x) - 1) < 3e-7, `exp(${x}) is ${results[i]}`);
  }
  assert.deepEqual(
    [...ops.exp(tensor([88.73, 1000, Infinity])).data()],
    [Infinity, Infinity, Infinity],
  );
});

test('a NaN beside an infinity is not lost', () => {
  for (const row of [
    [Infinity, NaN],
    [NaN, Infinity],
    [1, NaN, Infinity],
  ]) {
    assert.deepEqual(ops.logsumexp(tensor(row)).array(), NaN);
  }
  assert.deepEqual(ops.nanvar(tensor([1, Infinity, -Infinity])).array(), NaN);
  assert.deepEqual(ops.nanstd(tensor([1, Infinity])).array(), NaN);
  assert.equal(ops.nanvar(tensor([1, NaN, 3])).array(), 1);
});

test('logaddexp of the least integer is finite', () => {
  assert.deepEqual(ops.logaddexp(ints([-(2 ** 31)]), ints([5])).array(), [5]);
});

test('erfinv keeps the digits of small numbers', () => {
  for (const x of [1e-30, -1e-20, 1e-5, 0.00099, 0.00101]) {
    const exact = (x * Math.sqrt(Math.PI)) / 2 + (Math.PI ** 1.5 / 24) * x ** 3;
    const result = ops.erfinv(tensor([x])).array()[0];
    assert.ok(Math.abs(result / exact - 1) < 3e-7, `erfinv(${x}) is ${result}`);
  }
});
