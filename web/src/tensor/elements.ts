// SPDX-License-Identifier: MIT
// Checks of elements before they become a tensor, here or in a worker.
import { elementCount } from '../base/array.js';
import { checkShape, refuse } from '../base/check.js';
import { ShapeError, ValueError } from '../base/errors.js';
import type { DType } from './dtype.js';

/** Element types, each at the number that the core uses for it. */
export const dtypes: readonly DType[] = ['bool', 'int32', 'float32'];

/** Default dtype of elements: bool for booleans, int32 for an Int32Array, otherwise float32. */
export function inferDType(items: ArrayLike<number | boolean>): DType {
  if (items instanceof Int32Array) return 'int32';
  return items.length > 0 && Array.isArray(items) && items.every((x) => typeof x === 'boolean')
    ? 'bool'
    : 'float32';
}

/** Returns whether an int32 tensor can hold the value. */
export const isInt32 = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) === ((value as number) | 0);

/**
 * Throws an error unless the elements make a tensor of this dtype and shape: ShapeError for their
 * number, ValueError for an unknown dtype and for elements that an int32 tensor cannot hold.
 */
export function checkElements(
  items: ArrayLike<number | boolean>,
  dtype: DType,
  shape: readonly number[],
): void {
  if (!dtypes.includes(dtype)) refuse('dtype', "'float32', 'int32' or 'bool'", dtype);
  checkShape(shape);
  const size = elementCount(shape);
  if (size !== items.length) {
    throw new ShapeError(`shape [${shape}] has ${size} elements but ${items.length} were given`);
  }
  if (dtype !== 'int32' || items instanceof Int32Array) return;
  for (let i = 0; i < items.length; i++) {
    const x = Number(items[i]);
    if (isInt32(x)) continue;
    throw new ValueError(`element ${i} is ${x}, not an int32; use dtype 'float32', or round first`);
  }
}

/**
 * Leading dimensions of `shape` that a flat mask of `length` elements fills; otherwise ShapeError.
 */
export function flatMaskShape(length: number, shape: readonly number[]): readonly number[] {
  for (let rank = 1; rank <= shape.length; rank++) {
    const leading = shape.slice(0, rank);
    if (elementCount(leading) === length) return leading;
  }
  throw new ShapeError(
    `a mask of ${length} elements does not fit leading dimensions of [${shape}]`,
  );
}
