// SPDX-License-Identifier: MIT
import { isPlain } from '../base/check.js';
import { isTypedArray, type Nested, type TypedArray } from '../base/nested.js';
import { asTensor, isTensor, Tensor, tensor } from '../tensor/tensor.js';

/** Converts the value of a weight. Adds a new tensor to `temporary`. */
export function weightTensor(
  value: Tensor | TypedArray | Nested,
  shape: readonly number[] | undefined,
  temporary: Tensor[],
): Tensor {
  if (value instanceof Tensor) return value;
  const result =
    isTypedArray(value) && shape
      ? tensor(value, { shape, dtype: 'float32' })
      : isTensor(value)
        ? asTensor(value)
        : tensor(value);
  temporary.push(result);
  return result;
}

/** Returns the different values in lists and dictionaries, down to three levels, with these. */
export function valuesInside(values: readonly unknown[]): unknown[] {
  const found = new Set<unknown>();
  const visit = (value: unknown, depth: number): void => {
    if (Array.isArray(value) && depth < 3) for (const item of value) visit(item, depth + 1);
    else if (isPlain(value) && depth < 3) {
      for (const item of Object.values(value)) visit(item, depth + 1);
    } else found.add(value);
  };
  for (const value of values) visit(value, 0);
  return [...found];
}
