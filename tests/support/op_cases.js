// SPDX-License-Identifier: MIT
// Cases of ops on whole tensors: [inputs, call, expected result]. Inputs are nested arrays, float32
// unless `int` marks them.
import { logsumexp, softmax, sparsemax } from './formulas.js';
import { moreCases } from './more_op_cases.js';

const { exp, log, sqrt } = Math;

/** Marks an input or an output as int32. */
export const int = (values) => ({ values, dtype: 'int32' });
/** Marks an output as bool. */
export const bool = (values) => ({ values, dtype: 'bool' });

const m = [
  [1, 2, 3],
  [4, 5, 6],
];
const odd = [
  [3, -1, 0],
  [0, 7, 7],
];
const scores = [
  [1, 1, -5],
  [3, 0, 0],
  [0.1, 0.2, -0.3],
];

/** Cases by op: a list of [inputs, (op, ...tensors) => result(s), expected(s)]. */
export const cases = {
  ...moreCases,
  all: [
    [[odd], (op, x) => op(x), bool(false)],
    [[odd], (op, x) => op(x, { axis: 0 }), bool([false, true, false])],
    [[odd], (op, x) => op(x, { axis: 1, keepdims: true }), bool([[false], [false]])],
  ],
  any: [
    [[odd], (op, x) => op(x), bool(true)],
    [
      [
        [
          [0, 0],
          [0, 2],
        ],
      ],
      (op, x) => op(x, { axis: -1 }),
      bool([false, true]),
    ],
  ],
  argmax: [
    [[odd], (op, x) => op(x, { axis: 1 }), int([0, 1])],
    [[odd], (op, x) => op(x), int(4)],
  ],
  argmin: [
    [[odd], (op, x) => op(x, { axis: -1 }), int([1, 0])],
    [[odd], (op, x) => op(x, { axis: 0, keepdims: true }), int([[1, 0, 0]])],
  ],
  broadcastTo: [
    [
      [[[1], [2]]],
      (op, x) => op(x, [2, 3]),
      [
        [1, 1, 1],
        [2, 2, 2],
      ],
    ],
  ],
  cast: [
    [[[1.9, -1.9, 0]], (op, x) => op(x, 'int32'), int([1, -1, 0])],
    [[[0.5, 0, -2]], (op, x) => op(x, 'bool'), bool([true, false, true])],
    [[int([1, 2])], (op, x) => op(x, 'float32'), [1, 2]],
  ],
  clip: [
    [
      [m],
      (op, x) => op(x, 2, 5),
      [
        [2, 2, 3],
        [4, 5, 5],
      ],
    ],
  ],
  concatenate: [
    [[m, odd], (op, a, b) => op([a, b], { axis: 0 }), [...m, ...odd]],
    [[m, odd], (op, a, b) => op([a, b]), [...m, ...odd]],
    [[m, odd], (op, a, b) => op([a, b], { axis: -1 }), m.map((row, i) => [...row, ...odd[i]])],
  ],
  convertToTensor: [
    [[m], (op, x) => op(x), m],
    [[odd], (op, x) => op(x, { dtype: 'int32' }), int(odd)],
  ],
  countNonzero: [[[odd], (op, x) => op(x, { axis: 1 }), int([2, 2])]],
  cumsum: [
    [
      [m],
      (op, x) => op(x, { axis: 1 }),
      [
        [1, 3, 6],
        [4, 9, 15],
      ],
    ],
    [[m], (op, x) => op(x), [1, 3, 6, 10, 15, 21]],
    [[[true, true]], (op, x) => op(x, { dtype: 'float32' }), [1, 2]],
  ],
  expandDims: [
    [[[1, 2]], (op, x) => op(x, -1), [[1], [2]]],
    [[[1, 2]], (op, x) => op(x, [0, 2]), [[[1], [2]]]],
  ],
  flip: [
    [
      [m],
      (op, x) => op(x),
      [
        [6, 5, 4],
        [3, 2, 1],
      ],
    ],
    [
      [m],
      (op, x) => op(x, { axis: 1 }),
      [
        [3, 2, 1],
        [6, 5, 4],
      ],
    ],
  ],
  fullLike: [
    [
      [m],
      (op, x) => op(x, 7),
      [
        [7, 7, 7],
        [7, 7, 7],
      ],
    ],
  ],
  getItem: [
    [[m], (op, x) => op(x, 1), [4, 5, 6]],
    [
      [m],
      (op, x) => op(x, ['...', { start: 1 }]),
      [
        [2, 3],
        [5, 6],
      ],
    ],
    [
      [m],
      (op, x) => op(x, [{}, { step: -1 }]),
      [
        [3, 2, 1],
        [6, 5, 4],
      ],
    ],
    [[m], (op, x) => op(x, [-1, null, { stop: 2 }]), [[4, 5]]],
  ],
  ctcLoss: [[[[[1]], [Array(2).fill([0, 0])], [1], [2]], (op, ...x) => op(...x), [-log(3 / 4)]]],
  einsum: [
    [[m], (op, x) => op([x], 'ij->ji'), [0, 1, 2].map((j) => m.map((row) => row[j]))],
    [[m, odd], (op, a, b) => op([a, b], 'ij,ij->i'), [1, 77]],
  ],
  glu: [[[[[1, -2, 0, 3]]], (op, x) => op(x), [[1 / 2, -2 / (1 + exp(-3))]]]],
  logSoftmax: [[[m], (op, x) => op(x), m.map((row) => softmax(row).map(log))]],
  logsumexp: [
    [[m], (op, x) => op(x, { axis: 1 }), m.map(logsumexp)],
    [[[[1000, 1000]]], (op, x) => op(x), 1000 + log(2)],
  ],
  matmul: [
    [
      [
        m,
        [
          [1, 0],
          [0, 1],
          [2, 2],
        ],
      ],
      (op, a, b) => op(a, b),
      [
        [7, 8],
        [16, 17],
      ],
    ],
    [
      [[m, m], [[[1], [1], [1]]]],
      (op, a, b) => op(a, b),
      [
        [[6], [15]],
        [[6], [15]],
      ],
    ],
  ],
  max: [
    [[odd], (op, x) => op(x), 7],
    [[odd], (op, x) => op(x, { axis: 0 }), [3, 7, 7]],
    [[[[1, Number.NaN]]], (op, x) => op(x), Number.NaN],
  ],
  mean: [
    [[m], (op, x) => op(x), 3.5],
    [[m], (op, x) => op(x, { axis: [0, 1], keepdims: true }), [[3.5]]],
    [[int([[1, 2]])], (op, x) => op(x, { axis: 1 }), [1.5]],
  ],
  min: [[[odd], (op, x) => op(x, { axis: 1 }), [-1, 0]]],
  moveaxis: [
    [
      [[m]],
      (op, x) => op(x, 0, -1),
      [
        [[1], [2], [3]],
        [[4], [5], [6]],
      ],
    ],
  ],
  norm: [
    [[m], (op, x) => op(x, { ord: 1, axis: 1 }), [6, 15]],
    [[odd], (op, x) => op(x, { ord: Infinity, axis: -1 }), [3, 7]],
    [[odd], (op, x) => op(x, { ord: -Infinity, axis: 0 }), [0, 1, 0]],
    [[odd], (op, x) => op(x, { ord: 0, axis: 1 }), [2, 2]],
    [[m], (op, x) => op(x, { ord: 3, axis: 0 }), [65 ** (1 / 3), 133 ** (1 / 3), 243 ** (1 / 3)]],
    [[m], (op, x) => op(x, { ord: 1, axis: [0, 1] }), 9],
    [[m], (op, x) => op(x, { ord: Infinity, axis: [0, 1], keepdims: true }), [[15]]],
    [[m], (op, x) => op(x, { ord: 'fro' }), sqrt(91)],
    [
      [
        [
          [3, 4],
          [6, 8],
        ],
      ],
      (op, x) => op(x, { axis: 1 }),
      [5, 10],
    ],
    [[[[3, 4]]], (op, x) => op(x), 5],
  ],
  normalize: [
    [
      [
        [
          [3, 4],
          [0, 0],
        ],
      ],
      (op, x) => op(x),
      [
        [0.6, 0.8],
        [0, 0],
      ],
    ],
  ],
  oneHot: [
    [
      [int([1, 0, 2])],
      (op, x) => op(x, 3),
      [
        [0, 1, 0],
        [1, 0, 0],
        [0, 0, 1],
      ],
    ],
    [[int([1])], (op, x) => op(x, 2, { dtype: 'int32' }), int([[0, 1]])],
  ],
  onesLike: [[[int([5, 6])], (op, x) => op(x), int([1, 1])]],
  outer: [
    [
      [
        [1, 2],
        [3, 4],
      ],
      (op, a, b) => op(a, b),
      [
        [3, 4],
        [6, 8],
      ],
    ],
  ],
  pad: [
    [
      [[[1, 2]]],
      (op, x) =>
        op(
          x,
          [
            [1, 0],
            [0, 2],
          ],
          { constantValues: 9 },
        ),
      [
        [9, 9, 9, 9],
        [1, 2, 9, 9],
      ],
    ],
    [[[1, 2]], (op, x) => op(x, 1), [0, 1, 2, 0]],
  ],
  prod: [[[m], (op, x) => op(x, { axis: 1 }), [6, 120]]],
  repeat: [
    [[m], (op, x) => op(x, 2, { axis: 0 }), [m[0], m[0], m[1], m[1]]],
    [[[[1], [2]]], (op, x) => op(x, 2), [1, 1, 2, 2]],
  ],
  reshape: [
    [
      [m],
      (op, x) => op(x, [3, -1]),
      [
        [1, 2],
        [3, 4],
        [5, 6],
      ],
    ],
  ],
  roll: [
    [
      [m],
      (op, x) => op(x, 1, { axis: -1 }),
      [
        [3, 1, 2],
        [6, 4, 5],
      ],
    ],
    [
      [m],
      (op, x) => op(x, 1),
      [
        [6, 1, 2],
        [3, 4, 5],
      ],
    ],
  ],
  slice: [
    [
      [m],
      (op, x) => op(x, [0, 1], [2, 2]),
      [
        [2, 3],
        [5, 6],
      ],
    ],
  ],
  softmax: [
    [[m], (op, x) => op(x), m.map(softmax)],
    [[[[1000, 0]]], (op, x) => op(x), [[1, 0]]],
  ],
  sparsemax: [[[scores], (op, x) => op(x), scores.map(sparsemax)]],
  split: [
    [
      [m],
      (op, x) => op(x, 3, { axis: 1 }),
      [
        [[1], [4]],
        [[2], [5]],
        [[3], [6]],
      ],
    ],
    [[m], (op, x) => op(x, [1], { axis: 0 }), [[[1, 2, 3]], [[4, 5, 6]]]],
  ].map((each) => [...each, 'several']),
  squeeze: [
    [[[[1, 2]]], (op, x) => op(x), [1, 2]],
    [[[[[1], [2]]]], (op, x) => op(x, { axis: 2 }), [[1, 2]]],
  ],
  stack: [
    [
      [
        [1, 2],
        [3, 4],
      ],
      (op, a, b) => op([a, b], { axis: 1 }),
      [
        [1, 3],
        [2, 4],
      ],
    ],
  ],
  std: [[[m], (op, x) => op(x, { axis: 1 }), [sqrt(2 / 3), sqrt(2 / 3)]]],
  sum: [
    [[m], (op, x) => op(x), 21],
    [[m], (op, x) => op(x, { axis: 0, keepdims: true }), [[5, 7, 9]]],
    [[int([2000000000, 1])], (op, x) => op(x), int(2000000001)],
  ],
  swapaxes: [
    [
      [m],
      (op, x) => op(x, 0, 1),
      [
        [1, 4],
        [2, 5],
        [3, 6],
      ],
    ],
  ],
  take: [
    [
      [m, int([2, 0, -1])],
      (op, x, i) => op(x, i, { axis: 1 }),
      [
        [3, 1, 3],
        [6, 4, 6],
      ],
    ],
    [[m, int([[1], [-1]])], (op, x, i) => op(x, i), [[2], [6]]],
  ],
  takeAlongAxis: [
    [[m, int([[2], [0]])], (op, x, i) => op(x, i, { axis: 1 }), [[3], [4]]],
    [[m, int([5, -1, 0])], (op, x, i) => op(x, i), [6, 6, 1]],
  ],
  tile: [[[m], (op, x) => op(x, [1, 2]), m.map((row) => [...row, ...row])]],
  transpose: [
    [
      [m],
      (op, x) => op(x),
      [
        [1, 4],
        [2, 5],
        [3, 6],
      ],
    ],
    [[[m]], (op, x) => op(x, { axes: [1, 0, 2] }), [[m[0]], [m[1]]]],
  ],
  tril: [
    [
      [m],
      (op, x) => op(x, { k: 1 }),
      [
        [1, 2, 0],
        [4, 5, 6],
      ],
    ],
  ],
  triu: [
    [
      [m],
      (op, x) => op(x),
      [
        [1, 2, 3],
        [0, 5, 6],
      ],
    ],
  ],
  unstack: [
    [
      [m],
      (op, x) => op(x, { axis: 1 }),
      [
        [1, 4],
        [2, 5],
        [3, 6],
      ],
      'several',
    ],
  ],
  var: [[[m], (op, x) => op(x), 35 / 12]],
  variance: [[[m], (op, x) => op(x, { axis: 0, keepdims: true }), [[2.25, 2.25, 2.25]]]],
  where: [
    [
      [
        [
          [1, 0, 2],
          [0, 0, 1],
        ],
        m,
        odd,
      ],
      (op, c, a, b) => op(c, a, b),
      [
        [1, -1, 3],
        [0, 7, 6],
      ],
    ],
  ],
  zerosLike: [
    [
      [m],
      (op, x) => op(x),
      [
        [0, 0, 0],
        [0, 0, 0],
      ],
    ],
  ],
};
