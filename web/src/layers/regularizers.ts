// SPDX-License-Identifier: MIT
// Keras's regularizers as configurations: `regularizers.l2(0.01)`.
import { checkOptions, refuse } from '../base/check.js';
import { settingsInOrder } from '../base/in_order.js';
import { maker } from '../base/maker.js';

/** A regularizer in Keras's form, for settings such as `kernelRegularizer`. */
export interface Regularizer {
  /** Class name in Keras. */
  readonly class_name: string;
  /** Settings under Keras's names. */
  readonly config: object;
}

/** Returns the function that creates regularizers of a class from settings with these defaults. */
const regularizer = (name: string, className: string, defaults: { [name: string]: unknown }) => {
  const order = Object.keys(defaults);
  return maker((...args: readonly unknown[]): Regularizer => {
    const settings = settingsInOrder(`regularizers.${name}`, order, args);
    const config = { ...defaults, ...checkOptions(settings, defaults as never) };
    for (const [setting, value] of Object.entries(config)) {
      if (setting !== 'mode' && !Number.isFinite(value)) {
        refuse(`'${setting}' of a regularizer`, 'a finite number', value);
      }
    }
    return { class_name: className, config };
  });
};

/** Penalty: `l1` times the sum of the absolute values. Default: 0.01. */
export const l1: (
  l1?:
    | number
    | {
        /** Factor of the sum. Default: 0.01. */
        l1?: number;
      },
) => Regularizer = /* @__PURE__ */ regularizer('l1', 'L1', { l1: 0.01 });
/** Penalty: `l2` times the sum of the squares. Default: 0.01. */
export const l2: (
  l2?:
    | number
    | {
        /** Factor of the sum. Default: 0.01. */
        l2?: number;
      },
) => Regularizer = /* @__PURE__ */ regularizer('l2', 'L2', { l2: 0.01 });
/** Penalty: the sum of those of `l1` and `l2`. Default: 0 for both. */
export const l1L2: (
  settings?:
    | number
    | {
        /** Factor of the absolute values. Default: 0. */
        l1?: number;
        /** Factor of the squares. Default: 0. */
        l2?: number;
      },
  l2?: number,
) => Regularizer = /* @__PURE__ */ regularizer('l1L2', 'L1L2', { l1: 0, l2: 0 });
/** Penalty for rows (or columns) of a matrix that are not orthogonal to each other. */
export const orthogonal: (
  settings?:
    | number
    | {
        /** Factor of the penalty. Default: 0.01. */
        factor?: number;
        /** Which vectors of the matrix are compared. Default: 'rows'. */
        mode?: 'rows' | 'columns';
      },
  mode?: 'rows' | 'columns',
) => Regularizer = /* @__PURE__ */ regularizer('orthogonal', 'OrthogonalRegularizer', {
  factor: 0.01,
  mode: 'rows',
});
