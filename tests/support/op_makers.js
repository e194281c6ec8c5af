// SPDX-License-Identifier: MIT
// Cases of ops without operands; op_cases.js has those of other ops.
import { bool, int } from './op_cases.js';

/** Ops that create a tensor without operands: [call, expected]. */
export const makers = {
  arange: [
    [(op) => op(3), int([0, 1, 2])],
    [(op) => op(1, { stop: 2, step: 0.25 }), [1, 1.25, 1.5, 1.75]],
    [(op) => op(5, { stop: 1, step: -2, dtype: 'float32' }), [5, 3]],
  ],
  eye: [
    [
      (op) => op(2),
      [
        [1, 0],
        [0, 1],
      ],
    ],
    [
      (op) => op(2, { m: 3, k: 1, dtype: 'int32' }),
      int([
        [0, 1, 0],
        [0, 0, 1],
      ]),
    ],
  ],
  full: [
    [(op) => op([2, 1], 2.5), [[2.5], [2.5]]],
    [(op) => op([1], true, { dtype: 'bool' }), bool([true])],
  ],
  linspace: [
    [(op) => op(0, 1, { num: 5 }), [0, 0.25, 0.5, 0.75, 1]],
    [(op) => op(0, 1, { num: 4, endpoint: false }), [0, 0.25, 0.5, 0.75]],
  ],
  ones: [[(op) => op([2], { dtype: 'bool' }), bool([true, true])]],
  zeros: [[(op) => op([1, 2]), [[0, 0]]]],
};
