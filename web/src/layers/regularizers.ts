// SPDX-License-Identifier: MIT
// Keras's regularizers as configurations: `regularizers.l2(0.01)`.
import { checkOptions, refuse } from '../base/check.js';

/** A regularizer in Keras's form, for settings such as `kernelRegularizer`. */
export interface Regularizer {
  /** Class name in Keras. */
  readonly class_name: string;
  /** Settings under Keras's names. */
  readonly config: object;
}

function strength(name: string, value: number): number {
  if (!Number.isFinite(value)) refuse(`'${name}' of a regularizer`, 'a finite number', value);
  return value;
}

/** Penalty: `l1` times the sum of the absolute values. Default: 0.01. */
export const l1 = (l1 = 0.01): Regularizer => ({
  class_name: 'L1',
  config: { l1: strength('l1', l1) },
});
/** Penalty: `l2` times the sum of the squares. Default: 0.01. */
export const l2 = (l2 = 0.01): Regularizer => ({
  class_name: 'L2',
  config: { l2: strength('l2', l2) },
});
/** Penalty: the sum of those of `l1` and `l2`. Default: 0 for both. */
export function l1L2(settings?: { l1?: number; l2?: number }): Regularizer {
  const { l1 = 0, l2 = 0 } = checkOptions(settings, { l1: 1, l2: 1 });
  return { class_name: 'L1L2', config: { l1: strength('l1', l1), l2: strength('l2', l2) } };
}
/** Penalty for rows (or columns) of a matrix that are not orthogonal to each other. */
export function orthogonal(settings?: {
  /** Factor of the penalty. Default: 0.01. */
  factor?: number;
  /** Which vectors of the matrix are compared. Default: 'rows'. */
  mode?: 'rows' | 'columns';
}): Regularizer {
  const { factor = 0.01, mode = 'rows' } = checkOptions(settings, { factor: 1, mode: 1 });
  return {
    class_name: 'OrthogonalRegularizer',
    config: { factor: strength('factor', factor), mode },
  };
}
