// SPDX-License-Identifier: MIT
// Repairs of Keras 3.16 that hold here under both rules, and dtypes of results. The numbers are
// those of Keras 3.16 with PyTorch; the dtypes are the same in 3.15.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as mf from '../../dist/train.js';

await mf.ready();
const { layers, ops, tensor } = mf;

const gradientOf = (f, rows, weights) => {
  const x = tensor(rows);
  const { gradients } = mf.valueAndGradients(() => ops.sum(ops.multiply(f(x), weights)), [x]);
  return [...gradients[0].data()];
};

test('the gradient of normalize is finite at zeros and below epsilon', () => {
  const cases = [
    [
      { axis: -1 },
      [
        [0, 0, 0],
        [3, 4, 0],
      ],
      [1, 1, 1],
      [1e7, 1e7, 1e7, 0.032, -0.024, 0.2],
    ],
    [
      { axis: -1, epsilon: 1e-3 },
      [
        [1e-5, 0, 0],
        [0.1, 0.2, 0],
        [1e-20, 0, 0],
      ],
      [1, 2, 3],
      [1000, 2000, 3000, 0, 0, 13.416, 1000, 2000, 3000],
    ],
    [
      { axis: -1, epsilon: 0.5 },
      [
        [1e-5, 0, 0],
        [0.1, 0.2, 0],
      ],
      [1, 2, 3],
      [2, 4, 6, 2, 4, 6],
    ],
  ];
  for (const [options, rows, weights, expected] of cases) {
    const actual = gradientOf((x) => ops.normalize(x, options), rows, weights);
    for (const [i, value] of actual.entries()) {
      const isNear = Math.abs(value - expected[i]) <= 1e-4 * Math.max(1, Math.abs(expected[i]));
      assert.ok(isNear, `${value}, not ${expected[i]}`);
    }
  }
});

test('the gradient of norm is 0 at zero vectors, and there alone', () => {
  const rows = [
    [0, 0],
    [3, -4],
  ];
  for (const [options, expected] of [
    [{}, [0.6, -0.8]],
    [{ ord: 2 }, [0.6, -0.8]],
    [{ ord: 1 }, [1, -1]],
    [{ ord: 3 }, [9 / 91 ** (2 / 3), -16 / 91 ** (2 / 3)]],
    [{ ord: Infinity }, [0, -1]],
  ]) {
    const actual = gradientOf((x) => ops.norm(x, { axis: -1, ...options }), rows, [1, 1]);
    assert.deepEqual(actual.slice(0, 2).map(Math.abs), [0, 0], JSON.stringify(options));
    for (const [i, value] of actual.slice(2).entries())
      assert.ok(Math.abs(value - expected[i]) < 1e-6, `${value}, not ${expected[i]}`);
  }
  const matrix = gradientOf((x) => ops.norm(x, { ord: 'fro', axis: [0, 1] }), [[0, 0]], 1);
  assert.deepEqual(matrix.map(Math.abs), [0, 0]);
});

test('normalize with a tiny epsilon keeps zeros', () => {
  const result = ops.normalize(
    [
      [0, 0],
      [3, 4],
    ],
    { axis: -1, epsilon: 1e-30 },
  );
  assert.deepEqual(
    result
      .array()
      .flat()
      .map((value) => Math.round(value * 10)),
    [0, 0, 6, 8],
  );
});

test('LayerNormalization refuses an axis that is listed twice or that the input lacks', () => {
  const apply = (axis) => layers.layerNormalization({ axis }).apply(ops.ones([2, 3, 4]));
  const refuses = (axis, message) =>
    assert.throws(() => apply(axis), { name: 'ShapeError', message });
  refuses([1, 1], /'axis' has 2 numbers .* 1 axes .*\(2, 3, 4\).* once/);
  refuses([-1, 2], /once/);
  refuses(5, /axis 5 is out of range for rank 3/);
  refuses([0, -4], /axis -4 is out of range for rank 3/);
  assert.deepEqual(apply([2, 1]).shape, [2, 3, 4]);
});

test('ReLU without a slope keeps integers', () => {
  const x = tensor([-2, 3, 9], { dtype: 'int32' });
  const run = (settings) => {
    const result = layers.reLU(settings).apply(x);
    return [result.dtype, ...result.data()];
  };
  assert.deepEqual(run({}), ['int32', 0, 3, 9]);
  assert.deepEqual(run({ maxValue: 6 }), ['int32', 0, 3, 6]);
  assert.deepEqual(run({ threshold: 3 }), ['int32', 0, 0, 9]);
  assert.deepEqual(run({ negativeSlope: 0.5 }), ['float32', -1, 3, 9]);
  assert.equal(layers.reLU().apply(mf.Input({ shape: [3], dtype: 'int32' })).dtype, 'int32');
});

test('the remainder of booleans is an integer', () => {
  const result = ops.fmod(tensor([true, false]), tensor([true, true]));
  assert.deepEqual([result.dtype, ...result.data()], ['int32', 0, 0]);
});

test('segments without rows have the limits of the dtype', () => {
  const ids = [0, 0, 2];
  const ints = tensor([5, -1, 7], { dtype: 'int32' });
  assert.deepEqual([...ops.segmentMax(ints, ids, 3).data()], [5, -(2 ** 31), 7]);
  assert.deepEqual([...ops.segmentMin(ints, ids, 3).data()], [-1, 2 ** 31 - 1, 7]);
  assert.deepEqual(
    [...ops.segmentMin([5, -1, 7], ids, 3).data()],
    [-1, Number.POSITIVE_INFINITY, 7],
  );
});

test('a layer normalization of equal numbers is exactly its offset', () => {
  for (let width = 1; width <= 40; width++) {
    const layer = layers.layerNormalization({ betaInitializer: 'ones' });
    for (const x of [0.1, 1 / 3, -7.3, 1e6 + 0.1]) {
      const result = layer.apply([Array(width).fill(x)]);
      assert.deepEqual([...result.data()], Array(width).fill(1), `${width} times ${x}`);
    }
  }
});
