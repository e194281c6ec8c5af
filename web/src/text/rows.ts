// SPDX-License-Identifier: MIT
import { describe } from '../base/check.js';
import { ShapeError, ValueError } from '../base/errors.js';
import { isTypedArray, type TypedArray } from '../base/nested.js';
import { isTensor } from '../tensor/tensor.js';

/** A token, or lists of lists of … tokens. */
export type Tokens<T> = T | readonly Tokens<T>[];

/** Tokens in row-major order; null where a row is shorter than the longest. */
export interface Rows<T> {
  shape: number[];
  items: (T | null)[];
}

/** Plain nested lists of tokens of one type, out of tensors and typed arrays too. */
export function plain<T>(
  data: unknown,
  type: 'string' | 'number',
  who: string,
  depth = 0,
): Tokens<T> {
  if (depth > 64) {
    throw new ShapeError(
      `${who} was given lists nested more than 64 deep; does a list contain itself?`,
    );
  }
  if (isTensor(data)) return plain(data.array(), type, who);
  if (Array.isArray(data)) return Array.from(data, (item) => plain<T>(item, type, who, depth + 1));
  if (isTypedArray(data)) {
    // (By its length: to iterate over one that was transferred away throws.)
    const { length } = data as TypedArray;
    return Array.from({ length }, (_, i) => plain<T>(data[i], type, who, depth + 1));
  }
  if (typeof data === type) return data as T;
  throw new ValueError(`${who} takes ${type}s and lists of them, not ${describe(data)}`);
}

/** Lists as rows of one length: `width` if it is given, else that of the longest. */
export function rowsOf<T>(data: Tokens<T>, width?: number): Rows<T> {
  const shape: number[] = [];
  const measure = (item: Tokens<T>, depth: number): void => {
    if (!Array.isArray(item)) return;
    shape[depth] = Math.max(shape[depth] ?? 0, item.length);
    for (const inner of item) measure(inner, depth + 1);
  };
  measure(data, 0);
  if (width !== undefined && shape.length > 0) shape[shape.length - 1] = width;
  const items: (T | null)[] = [];
  const collect = (item: Tokens<T> | undefined, depth: number): void => {
    const length = shape[depth];
    if (item !== undefined && Array.isArray(item) !== (length !== undefined)) {
      throw new ShapeError('tokens and lists of tokens stand side by side; nest all equally deep');
    }
    if (length === undefined) {
      items.push((item ?? null) as T | null);
      return;
    }
    for (let i = 0; i < length; i++) collect((item as Tokens<T>[] | undefined)?.[i], depth + 1);
  };
  collect(data, 0);
  return { shape, items };
}
