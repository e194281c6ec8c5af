// SPDX-License-Identifier: MIT
// The scalers of sklearn, from their numbers.
import { checkOptions, describe } from '../base/check.js';
import { ConfigError } from '../base/errors.js';
import { type ColumnNumbers, columnNumbers } from './host_array.js';
import { Scaler } from './scaler.js';

const subtract = (value: number, number: number): number => value - number;
const add = (value: number, number: number): number => value + number;
const divide = (value: number, number: number): number => value / number;
const multiply = (value: number, number: number): number => value * number;

/** Throws ConfigError for a scale of 0, which sklearn never has. */
function checkScale(className: string, scale: Float64Array | null): Float64Array | null {
  const zero = scale?.indexOf(0) ?? -1;
  if (zero < 0) return scale;
  throw new ConfigError(
    `${className}: the scale of column ${zero + 1} is 0; write 1 for a column whose values are all equal, as sklearn does`,
  );
}

/** Returns `center` and `scale` as steps: (x − center) ÷ scale. */
function centered(className: string, center: unknown, scale: unknown, word: string): Scaler {
  const steps = [
    { numbers: columnNumbers(center, `${className}: ${word}`), apply: subtract, invert: add },
    {
      numbers: checkScale(className, columnNumbers(scale, `${className}: scale`)),
      apply: divide,
      invert: multiply,
    },
  ];
  return new Scaler({ className, steps, clip: null });
}

function range(value: unknown): readonly [number, number] | null {
  if (value === null || value === undefined) return null;
  const [low, high] = Array.isArray(value) ? value : [];
  if (typeof low === 'number' && typeof high === 'number' && low < high) return [low, high];
  throw new ConfigError(
    `MinMaxScaler: clip must be [least, largest] or null, not ${describe(value)}`,
  );
}

/**
 * Creates StandardScaler: (x − mean) ÷ scale.
 *
 * @param settings `mean_` and `scale_` of Python; null where the scaler has none.
 */
export function standard(settings: {
  /** `mean_`, one number for each column. Default: null, nothing is subtracted. */
  mean?: ColumnNumbers | null;
  /** `scale_`, one number for each column. Default: null, nothing is divided. */
  scale?: ColumnNumbers | null;
}): Scaler {
  const { mean, scale } = checkOptions(settings, { mean: 1, scale: 1 });
  return centered('StandardScaler', mean, scale, 'mean');
}

/**
 * Creates MinMaxScaler: x × scale + min.
 *
 * @param settings `min_` and `scale_` of Python, which are not `data_min_` and `data_range_`.
 */
export function minMax(settings: {
  /** `min_`, one number for each column. */
  min: ColumnNumbers;
  /** `scale_`, one number for each column. */
  scale: ColumnNumbers;
  /** `feature_range` of a scaler with clip=True. Default: null, no clipping. */
  clip?: readonly [number, number] | null;
}): Scaler {
  const { min, scale, clip } = checkOptions(settings, { min: 1, scale: 1, clip: 1 });
  const className = 'MinMaxScaler';
  const steps = [
    {
      numbers: checkScale(className, columnNumbers(scale, `${className}: scale`)),
      apply: multiply,
      invert: divide,
    },
    { numbers: columnNumbers(min, `${className}: min`), apply: add, invert: subtract },
  ];
  return new Scaler({ className, steps, clip: range(clip) });
}

/**
 * Creates RobustScaler: (x − center) ÷ scale.
 *
 * @param settings `center_` and `scale_` of Python; null where the scaler has none.
 */
export function robust(settings: {
  /** `center_`, one number for each column. Default: null, nothing is subtracted. */
  center?: ColumnNumbers | null;
  /** `scale_`, one number for each column. Default: null, nothing is divided. */
  scale?: ColumnNumbers | null;
}): Scaler {
  const { center, scale } = checkOptions(settings, { center: 1, scale: 1 });
  return centered('RobustScaler', center, scale, 'center');
}

/**
 * Creates MaxAbsScaler: x ÷ scale.
 *
 * @param settings `scale_` of Python.
 */
export function maxAbs(settings: {
  /** `scale_`, one number for each column. */
  scale: ColumnNumbers;
}): Scaler {
  const { scale } = checkOptions(settings, { scale: 1 });
  return centered('MaxAbsScaler', null, scale, 'center');
}
