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

function regularizer(className: string, config: { [name: string]: unknown }): Regularizer {
  for (const [name, value] of Object.entries(config)) {
    if (name !== 'mode' && !Number.isFinite(value)) {
      refuse(`'${name}' of a regularizer`, 'a finite number', value);
    }
  }
  return { class_name: className, config };
}

/** Penalty: `l1` times the sum of the absolute values. Default: 0.01. */
export const l1 = (l1 = 0.01): Regularizer => regularizer('L1', { l1 });
/** Penalty: `l2` times the sum of the squares. Default: 0.01. */
export const l2 = (l2 = 0.01): Regularizer => regularizer('L2', { l2 });
/** Penalty: the sum of those of `l1` and `l2`. Default: 0 for both. */
export const l1L2 = (settings?: { l1?: number; l2?: number }): Regularizer =>
  regularizer('L1L2', { l1: 0, l2: 0, ...checkOptions(settings, { l1: 1, l2: 1 }) });
/** Penalty for rows (or columns) of a matrix that are not orthogonal to each other. */
export const orthogonal = (settings?: {
  /** Factor of the penalty. Default: 0.01. */
  factor?: number;
  /** Which vectors of the matrix are compared. Default: 'rows'. */
  mode?: 'rows' | 'columns';
}): Regularizer =>
  regularizer('OrthogonalRegularizer', {
    factor: 0.01,
    mode: 'rows',
    ...checkOptions(settings, { factor: 1, mode: 1 }),
  });
