// SPDX-License-Identifier: MIT
// Tensors: creating, reading, printing, disposing.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { inspect } from 'node:util';
import * as mf from '../../dist/index.js';
import { leavesNothing, live } from '../support/watch.js';

before(() => mf.ready());

const { tensor } = mf;

const creationCases = [
  [
    'nested arrays',
    [
      [
        [1, 2, 3],
        [4, 5, 6],
      ],
    ],
    {},
    [1, 2, 3],
    'float32',
    6,
  ],
  ['a number', 2.5, {}, [], 'float32', 1],
  ['booleans', [[true], [false]], {}, [2, 1], 'bool', 2],
  ['an Int32Array', Int32Array.of(1, -2), {}, [2], 'int32', 2],
  [
    'a Float64Array with a shape',
    Float64Array.of(1, 2, 3, 4),
    { shape: [2, 2] },
    [2, 2],
    'float32',
    4,
  ],
  ['a Uint8Array as bool', Uint8Array.of(0, 7), { dtype: 'bool' }, [2], 'bool', 2],
  [
    'rows that are typed arrays',
    [Float32Array.of(1, 2), Float32Array.of(3, 4)],
    {},
    [2, 2],
    'float32',
    4,
  ],
  ['nothing', [], {}, [0], 'float32', 0],
  ['empty rows', [[], []], { dtype: 'int32' }, [2, 0], 'int32', 0],
];

for (const [title, values, options, shape, dtype, size] of creationCases) {
  test(`a tensor of ${title} has the expected shape, rank, dtype and size`, () => {
    const x = tensor(values, options);
    assert.deepEqual(
      { shape: x.shape, rank: x.rank, dtype: x.dtype, size: x.size, symbolic: x.isSymbolic },
      { shape, rank: shape.length, dtype, size, symbolic: false },
    );
  });
}

test('data() returns a copy as a typed array of the dtype', () => {
  const x = tensor([
    [1, 2],
    [3, 4],
  ]);
  const copy = x.data();
  assert.deepEqual(copy, Float32Array.of(1, 2, 3, 4));
  copy[0] = 9;
  assert.equal(x.data()[0], 1);
  assert.deepEqual(tensor([1], { dtype: 'int32' }).data(), Int32Array.of(1));
  assert.deepEqual(tensor([true, false]).data(), Uint8Array.of(1, 0));
});

test('array() is nested, with booleans for bool; item() returns the only element', () => {
  assert.deepEqual(tensor([[1.5], [2]]).array(), [[1.5], [2]]);
  assert.deepEqual(tensor([[1, 0]], { dtype: 'bool' }).array(), [[true, false]]);
  assert.equal(tensor([[7]]).item(), 7);
  assert.equal(tensor(3).array(), 3);
  assert.throws(() => tensor([1, 2]).item(), mf.ShapeError);
});

test('elements keep NaN, infinities and the sign of zero', () => {
  const values = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -0];
  assert.deepEqual([...tensor(values).data()], values);
});

test('int32 keeps its whole range and refuses other numbers', () => {
  const ends = [2147483647, -2147483648];
  assert.deepEqual([...tensor(ends, { dtype: 'int32' }).data()], ends);
  for (const x of [2147483648, 0.5, Number.NaN]) {
    assert.throws(() => tensor([0, x], { dtype: 'int32' }), mf.ValueError);
  }
});

test("read() passes a view of the elements and returns the function's result", () => {
  const x = tensor([1, 2, 4]);
  const sum = x.read((view) => {
    assert.ok(view instanceof Float32Array);
    return view.reduce((a, b) => a + b);
  });
  assert.equal(sum, 7);
});

test('shape is a copy', () => {
  const x = tensor([[1, 2]]);
  x.shape[0] = 5;
  assert.deepEqual(x.shape, [1, 2]);
});

test('String(x) prints like NumPy, with the mask if there is one', () => {
  const x = tensor([
    [1.5, 2],
    [-3, 4],
  ]);
  assert.equal(String(x), '[[1.5   2]\n [ -3   4]]\nshape (2, 2), float32');
  assert.equal(
    String(
      x.withMask([
        [true, false],
        [true, true],
      ]),
    ),
    `${x}\nmask [[T F]\n      [T T]]`,
  );
  assert.match(String(mf.ops.zeros([50, 50])), /^\[\[0 0 0 … 0 0 0\]\n.*\n.*\n …/s);
  assert.equal(
    String(mf.Input({ shape: [null, 3] })),
    '<symbolic tensor, shape (None, None, 3), float32>',
  );
});

test('console.log prints a tensor as String does', () => {
  const x = tensor([[1, 2]]).withMask([true]);
  assert.equal(inspect(x), String(x));
  assert.equal(inspect(mf.Input({ shape: [2] })), '<symbolic tensor, shape (None, 2), float32>');
  x.dispose();
  assert.equal(inspect(x), 'Tensor(disposed)');
  assert.equal(inspect(Object.create(mf.Tensor.prototype)), 'Tensor(disposed)');
});

test('prints six digits, and no trailing decimal point', () => {
  const words = String(tensor([1000.001, 0.5, -2.25])).split('\n')[0];
  assert.deepEqual(words.match(/[-\d.]+/g), ['1000', '0.5', '-2.25']);
});

test('printing a tensor frees all memory', () => {
  const x = tensor([[1, 2]]).withMask([[true, false]]);
  leavesNothing(() => String(x));
});

test('dispose, once or twice, and using free memory; a disposed tensor refuses use', () => {
  leavesNothing(() => {
    const x = tensor([1, 2]);
    assert.equal(x.isDisposed, false);
    x.dispose();
    x.dispose();
    assert.equal(x.isDisposed, true);
    assert.equal(String(x), 'Tensor(disposed)');
    assert.throws(() => x.data(), mf.StateError);
    assert.throws(() => mf.ops.add(x, 1), mf.StateError);
    tensor([3])[Symbol.dispose]();
  });
});

test('memory() counts tensors, bytes and the heap', () => {
  const start = mf.memory();
  const x = tensor(new Float32Array(256));
  const after = mf.memory();
  assert.equal(after.tensors - start.tensors, 1);
  assert.equal(after.bytes - start.bytes, 1024);
  assert.ok(after.heapBytes >= after.bytes && after.heapBytes % 65536 === 0);
  x.dispose();
});

test('withMask and reshape share the elements', () => {
  const x = tensor(new Float32Array(1000), { shape: [10, 100] });
  const start = live();
  const masked = x.withMask(new Uint8Array(10));
  const flat = mf.ops.reshape(x, [1000]);
  assert.ok(live().bytes - start.bytes <= 100, `${live().bytes - start.bytes} more bytes`);
  x.dispose();
  assert.equal(flat.size + masked.size, 2000);
  assert.deepEqual([...flat.data()], [...masked.data()]);
  masked.dispose();
  flat.dispose();
});

test('a tensor that was read stays valid when the memory grows', () => {
  const x = tensor([1, 2, 3]);
  const big = tensor(new Float32Array(8 << 20));
  assert.deepEqual([...x.data()], [1, 2, 3]);
  assert.equal(big.size, 8 << 20);
  big.dispose();
});
