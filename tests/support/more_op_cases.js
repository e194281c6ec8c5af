// SPDX-License-Identifier: MIT
// Cases of the ops that maskflow/recurrent leaves out, as in op_cases.js. Real Keras recorded many
// more in tests/fixtures/ops.
const { acosh, asinh, atan, atan2, atanh, cbrt, cosh, exp, hypot, log, log10, log2, sinh, tan } =
  Math;

const int = (values) => ({ values, dtype: 'int32' });
const bool = (values) => ({ values, dtype: 'bool' });

const m = [
  [1, 2, 3],
  [4, 5, 6],
];
const square = [
  [1, 2],
  [3, 4],
];
const steps = [[[1], [2], [3], [6]]];
const head = [[[[1, 0]], [[0, 1]]]];
const weight = 1 / (1 + exp(-1 / Math.SQRT2));
const root = Math.sqrt(2 / 3);
const each = (f, ...points) => [[[points], (op, x) => op(x), points.map((x) => f(x))]];
const odds = [0.2, 0.7];
const binary = [[[[[0, 1]], [odds]], (op, t, y) => op(t, y), [[-log(0.8), -log(0.7)]]]];

export const moreCases = {
  arccos: each(Math.acos, -1, -0.5, 0, 0.5, 1),
  arccosh: each(acosh, 1, 1.5, 20),
  arcsin: each(Math.asin, -1, -0.5, 0, 0.5, 1),
  arcsinh: each(asinh, -20, -1e-5, 0, 0.5, 3),
  arctan: each(atan, -20, 0, 0.5, 3),
  arctan2: [
    [
      [
        [1, -1, 0],
        [-1, 0, -1],
      ],
      (op, y, x) => op(y, x),
      [atan2(1, -1), atan2(-1, 0), Math.PI],
    ],
  ],
  arctanh: each(atanh, -0.9, 0, 0.5),
  argsort: [
    [[[[3, 1, 2, 1]]], (op, x) => op(x), int([[1, 3, 2, 0]])],
    [
      [
        [
          [3, 1],
          [0, 2],
        ],
      ],
      (op, x) => op(x, { axis: 0 }),
      int([
        [1, 0],
        [0, 1],
      ]),
    ],
    [[square], (op, x) => op(x, { axis: null }), int([0, 1, 2, 3])],
  ],
  average: [
    [[m], (op, x) => op(x, { axis: 1 }), [2, 5]],
    [[m, [3, 1, 0]], (op, x, weights) => op(x, { axis: 1, weights }), [1.25, 4.25]],
    [
      [
        square,
        [
          [1, 0],
          [0, 3],
        ],
      ],
      (op, x, weights) => op(x, { weights }),
      13 / 4,
    ],
  ],
  averagePool: [
    [[steps], (op, x) => op(x, 2), [[[1.5], [4.5]]]],
    // Padding does not count.
    [[[[[1], [2], [3]]]], (op, x) => op(x, 2, { padding: 'same' }), [[[1.5], [3]]]],
  ],
  binaryCrossentropy: [
    ...binary,
    [[[[1]], [[2]]], (op, t, y) => op(t, y, { fromLogits: true }), [[log(1 + exp(-2))]]],
  ],
  categoricalCrossentropy: [
    [[[[0, 1]], [[1, 3]]], (op, t, y) => op(t, y), [-log(0.75)]],
    [[[[0, 1]], [[0, 2]]], (op, t, y) => op(t, y, { fromLogits: true }), [log(1 + exp(-2))]],
  ],
  cbrt: each(cbrt, -8, 0, 0.5, 27),
  conv: [
    [[steps, [[[1]], [[10]]]], (op, x, kernel) => op(x, kernel), [[[21], [32], [63]]]],
    [
      [steps, [[[1]], [[10]]]],
      (op, x, k) => op(x, k, { padding: 'same', strides: 2 }),
      [[[21], [63]]],
    ],
    [[steps, [[[1]], [[10]]]], (op, x, k) => op(x, k, { dilationRate: 3 }), [[[61]]]],
  ],
  cosh: each(cosh, -3, 0, 0.5),
  ctcDecode: [
    [
      [
        [
          [
            [0.1, 0.9],
            [0.2, 0.8],
            [0.7, 0.3],
            [0, 1],
          ],
        ],
        int([4]),
      ],
      (op, x, lengths) => op(x, lengths),
      [int([[[1, 1, -1, -1]]]), [[-3.4]]],
      true,
    ],
  ],
  cumprod: [
    [
      [m],
      (op, x) => op(x, { axis: 1 }),
      [
        [1, 2, 6],
        [4, 20, 120],
      ],
    ],
    [[int([2, 3])], (op, x) => op(x), int([2, 6])],
  ],
  diagonal: [
    [[m], (op, x) => op(x), [1, 5]],
    [[m], (op, x) => op(x, { offset: 1 }), [2, 6]],
  ],
  diff: [
    [[[[1, 4, 9]]], (op, x) => op(x), [[3, 5]]],
    [[m], (op, x) => op(x, { axis: 0 }), [[3, 3, 3]]],
    [[[[1, 4, 9]]], (op, x) => op(x, { n: 2 }), [[2]]],
  ],
  digitize: [
    [
      [
        [0.5, 1, 7],
        [1, 2],
      ],
      (op, x, bins) => op(x, bins),
      int([0, 1, 2]),
    ],
  ],
  divideNoNan: [
    [
      [
        [1, 0, 3],
        [0, 0, 2],
      ],
      (op, a, b) => op(a, b),
      [0, 0, 1.5],
    ],
  ],
  dot: [
    [[square, [1, 10]], (op, a, b) => op(a, b), [21, 43]],
    [
      [square, square],
      (op, a, b) => op(a, b),
      [
        [7, 10],
        [15, 22],
      ],
    ],
    [
      [square],
      (op, a) => op(a, 2),
      [
        [2, 4],
        [6, 8],
      ],
    ],
  ],
  dotProductAttention: [
    [
      [head, head, head],
      (op, q, k, v) => op(q, k, v),
      [[[[weight, 1 - weight]], [[1 - weight, weight]]]],
    ],
    [
      [head, head, head],
      (op, q, k, v) => op(q, k, v, { isCausal: true }),
      [[[[1, 0]], [[1 - weight, weight]]]],
    ],
    [
      [head, head, head, bool([[[[true, false]]]])],
      (op, q, k, v, mask) => op(q, k, v, { mask }),
      [[[[1, 0]], [[1, 0]]]],
    ],
  ],
  exp2: each((x) => 2 ** x, -3, 0, 0.5, 10),
  hstack: [
    [[[1, 2], [3]], (op, a, b) => op([a, b]), [1, 2, 3]],
    [
      [square, square],
      (op, a, b) => op([a, b]),
      [
        [1, 2, 1, 2],
        [3, 4, 3, 4],
      ],
    ],
  ],
  hypot: [
    [
      [
        [3, -5],
        [4, 12],
      ],
      (op, a, b) => op(a, b),
      [3, -5].map((x, i) => hypot(x, [4, 12][i])),
    ],
  ],
  inTopK: [
    [
      [
        int([0, 1]),
        [
          [0.1, 0.9],
          [0.1, 0.9],
        ],
      ],
      (op, t, y) => op(t, y, 1),
      bool([false, true]),
    ],
  ],
  inner: [[[square, [[1, 10]]], (op, a, b) => op(a, b), [[21], [43]]]],
  isin: [
    [[int([1, 2, 3]), int([3, 1])], (op, a, b) => op(a, b), bool([true, false, true])],
    [[int([1, 2]), int([2])], (op, a, b) => op(a, b, { invert: true }), bool([true, false])],
  ],
  layerNormalization: [
    [[[[1, 2, 3]]], (op, x) => op(x), [[-1 / root, 0, 1 / root]]],
    [
      [[[1, 2, 3]], [1, 2, 2], [10, 20, 30]],
      (op, x, gamma, beta) => op(x, { gamma, beta }),
      [[10 - 1 / root, 20, 30 + 2 / root]],
    ],
    [
      [[[1, 2, 3]], [10, 20, 30]],
      (op, x, beta) => op(x, { beta }),
      [[10 - 1 / root, 20, 30 + 1 / root]],
    ],
  ],
  log10: each(log10, 0.5, 1, 1000),
  log2: each(log2, 0.5, 1, 8, 10),
  logaddexp: [
    [
      [
        [0, 1000, -1],
        [0, 1000, 1],
      ],
      (op, a, b) => op(a, b),
      [log(2), 1000 + log(2), log(exp(-1) + exp(1))],
    ],
  ],
  maxPool: [
    [[steps], (op, x) => op(x, 2), [[[2], [6]]]],
    [[steps], (op, x) => op(x, 3, { strides: 1, padding: 'same' }), [[[2], [3], [6], [6]]]],
  ],
  median: [
    [[[[1, 5, 3]]], (op, x) => op(x, { axis: 1 }), [3]],
    [[m], (op, x) => op(x), 3.5],
    [[m], (op, x) => op(x, { axis: 0, keepdims: true }), [[2.5, 3.5, 4.5]]],
  ],
  multiHot: [
    [
      [
        int([
          [0, 2],
          [1, 1],
        ]),
      ],
      (op, x) => op(x, 3),
      [
        [1, 0, 1],
        [0, 1, 0],
      ],
    ],
  ],
  nanToNum: [
    [[[Number.NaN, 2, Number.POSITIVE_INFINITY]], (op, x) => op(x, { posinf: 9 }), [0, 2, 9]],
  ],
  percentile: [[[[1, 2, 3, 4]], (op, x) => op(x, 50), 2.5]],
  psnr: [[[m, m.map((row) => row.map((x) => x + 2))], (op, x, y) => op(x, y, 200), 40]],
  quantile: [
    [[[[1, 2, 3, 4]]], (op, x) => op(x, 0.25, { axis: 1 }), [1.75]],
    [[[[1, 2, 3, 4]], [0, 1]], (op, x, q) => op(x, q, { axis: 1 }), [[1], [4]]],
    [[[1, 2]], (op, x) => op(x, 0.3, { method: 'higher' }), 2],
  ],
  ravel: [[[m], (op, x) => op(x), [1, 2, 3, 4, 5, 6]]],
  rmsNormalization: [
    [[[[3, -4]]], (op, x) => op(x), [[3, -4].map((x) => x / Math.sqrt(12.5))]],
    [[[[3, -4]], [2, 0]], (op, x, scale) => op(x, { scale }), [[6 / Math.sqrt(12.5), 0]]],
  ],
  scatter: [
    [[int([[0], [2], [0]]), [1, 2, 10]], (op, i, v) => op(i, v, [4]), [11, 0, 2, 0]],
    [
      [int([[1]]), [[7, 8]]],
      (op, i, v) => op(i, v, [2, 2]),
      [
        [0, 0],
        [7, 8],
      ],
    ],
  ],
  scatterUpdate: [
    [
      [square, int([[0, 1]]), [9]],
      (op, x, i, v) => op(x, i, v),
      [
        [1, 9],
        [3, 4],
      ],
    ],
    [
      [[1, 2], int([[0], [0]]), [5, 9]],
      (op, x, i, v) => op(x, i, v, { reduction: 'add' }),
      [15, 2],
    ],
  ],
  searchsorted: [
    [
      [
        [1, 2, 2, 4],
        [2, 0, 9],
      ],
      (op, a, v) => op(a, v),
      int([1, 0, 4]),
    ],
    [
      [
        [1, 2, 2, 4],
        [2, 0, 9],
      ],
      (op, a, v) => op(a, v, { side: 'right' }),
      int([3, 0, 4]),
    ],
  ],
  segmentMax: [[[[1, 5, 2], int([0, 1, 0])], (op, x, ids) => op(x, ids, 2), [2, 5]]],
  segmentMin: [[[[1, 5, 2], int([0, 1, 0])], (op, x, ids) => op(x, ids, 2), [1, 5]]],
  segmentSum: [
    [
      [m, int([1, 1])],
      (op, x, ids) => op(x, ids, 2),
      [
        [0, 0, 0],
        [5, 7, 9],
      ],
    ],
    [[[1, 5, 2], int([0, -1, 7])], (op, x, ids) => op(x, ids, 2), [1, 0]],
  ],
  select: [
    [
      [bool([true, false, false]), bool([true, true, false]), [1, 2, 3], [10, 20, 30]],
      (op, a, b, x, y) => op([a, b], [x, y], -1),
      [1, 20, -1],
    ],
  ],
  sinh: each(sinh, -3, -1e-5, 0, 0.5),
  size: [[[m], (op, x) => op(x), int(6)]],
  sliceUpdate: [
    [
      [m, int([0, 1]), [[8], [9]]],
      (op, x, i, v) => op(x, i, v),
      [
        [1, 8, 3],
        [4, 9, 6],
      ],
    ],
  ],
  sort: [
    [[[[3, 1, 2]]], (op, x) => op(x), [[1, 2, 3]]],
    [
      [
        [
          [3, 1],
          [0, 2],
        ],
      ],
      (op, x) => op(x, { axis: 0 }),
      [
        [0, 1],
        [3, 2],
      ],
    ],
    [[int([3, -1])], (op, x) => op(x, { axis: null }), int([-1, 3])],
  ],
  sparseCategoricalCrossentropy: [
    [
      [
        int([1, 0]),
        [
          [1, 3],
          [1, 1],
        ],
      ],
      (op, t, y) => op(t, y),
      [-log(0.75), log(2)],
    ],
    [[int([[1]]), [[0, 2]]], (op, t, y) => op(t, y, { fromLogits: true }), [log(1 + exp(-2))]],
  ],
  stopGradient: [[[m], (op, x) => op(x), m]],
  tan: each(tan, -1, 0, 0.5),
  tensordot: [
    [[square, [[1, 10]]], (op, a, b) => op(a, b, { axes: [1, 1] }), [[21], [43]]],
    [[square, square], (op, a, b) => op(a, b), 30],
  ],
  topK: [[[[[3, 1, 2]]], (op, x) => op(x, 2), [[[3, 2]], int([[0, 2]])], true]],
  trace: [[[m], (op, x) => op(x), 6]],
  trunc: [
    [[[[-1.5, -0.5, 2.7]]], (op, x) => op(x), [[-1, 0, 2]]],
    [[int([-1, 2])], (op, x) => op(x), int([-1, 2])],
  ],
  vdot: [[[square, square], (op, a, b) => op(a, b), 30]],
  vstack: [
    [
      [
        [1, 2],
        [3, 4],
      ],
      (op, a, b) => op([a, b]),
      square,
    ],
  ],
};
