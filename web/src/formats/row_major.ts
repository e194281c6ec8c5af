// SPDX-License-Identifier: MIT
// Copies of strided arrays, for NumPy's Fortran order and the views of PyTorch.
import { elementCount } from '../base/array.js';
import type { TypedArray } from '../base/nested.js';

/** Copies a view of `data` to row-major order. Strides count elements; they may be 0. */
export function rowMajor(
  data: TypedArray,
  shape: readonly number[],
  strides: readonly number[],
  budget?: { tick(): void },
): TypedArray {
  const Class = data.constructor as new (length: number) => TypedArray;
  const result = new Class(elementCount(shape));
  const index = shape.map(() => 0);
  let from = 0;
  for (let to = 0; to < result.length; to++) {
    budget?.tick();
    result[to] = data[from] as number;
    for (let axis = shape.length - 1; axis >= 0; axis--) {
      const stride = strides[axis] as number;
      from += stride;
      if (++(index[axis] as number) < (shape[axis] as number)) break;
      from -= stride * (shape[axis] as number);
      index[axis] = 0;
    }
  }
  return result;
}
