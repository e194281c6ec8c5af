// SPDX-License-Identifier: MIT
// Numbers for the classes of sklearn: lists, typed arrays and tensors, and arrays of pickles.
import { ConfigError } from '../base/errors.js';
import { refuse } from '../base/check.js';
import { isTypedArray } from '../base/nested.js';
import type { HostArray } from '../formats/pickle/numpy_values.js';
import { isTensor, type Tensor } from '../tensor/tensor.js';

/** Numbers of the columns, such as the mean of each. */
export type ColumnNumbers = readonly number[] | Float64Array | Float32Array | Tensor;

export const isHostArray = (value: unknown): value is HostArray =>
  typeof value === 'object' &&
  value !== null &&
  'shape' in value &&
  'data' in value &&
  !isTensor(value);

/** Returns the numbers of the columns as 64-bit floats; null for null. Throws ConfigError. */
export function columnNumbers(value: unknown, what: string): Float64Array | null {
  if (value === null || value === undefined) return null;
  const list = isTensor(value)
    ? value.shape.length === 1 && value.data()
    : isHostArray(value)
      ? value.shape.length === 1 && value.data
      : typeof value === 'number'
        ? [value]
        : value;
  if (Array.isArray(list) || isTypedArray(list)) {
    const numbers = Array.from(list as ArrayLike<unknown>);
    if (numbers.length > 0 && numbers.every((each) => typeof each === 'number'))
      return Float64Array.from(numbers as number[]);
  }
  return refuse(what, 'a list of numbers, one for each column', value, ConfigError);
}
