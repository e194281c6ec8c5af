// SPDX-License-Identifier: MIT
import { elementCount } from '../base/array.js';
import { describe } from '../base/check.js';
import { ShapeError, ValueError } from '../base/errors.js';
import { isTypedArray, type TypedArray } from '../base/nested.js';
import { isTensor } from '../tensor/tensor.js';

/** A token, or lists of lists of … tokens. */
export type Tokens<T> = T | readonly Tokens<T>[];

/** Tokens, and their positions in an array of that shape; where a row is shorter than the longest there is none. */
export interface Rows<T> {
  shape: number[];
  tokens: T[];
  positions: number[];
}

/** Plain nested lists of tokens of one type, out of tensors and typed arrays too. */
export function tokenLists<T>(
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
  if (isTensor(data)) return tokenLists(data.array(), type, who);
  if (Array.isArray(data))
    return Array.from(data, (item) => tokenLists<T>(item, type, who, depth + 1));
  if (isTypedArray(data)) {
    // (By its length: to iterate over one that was transferred away throws.)
    const { length } = data as TypedArray;
    return Array.from({ length }, (_, i) => tokenLists<T>(data[i], type, who, depth + 1));
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
  const tokens: T[] = [];
  const positions: number[] = [];
  const collect = (item: Tokens<T>, depth: number, position: number): void => {
    const length = shape[depth];
    if (Array.isArray(item) !== (length !== undefined)) {
      throw new ShapeError('tokens and lists of tokens stand side by side; nest all equally deep');
    }
    if (length === undefined) {
      tokens.push(item as T);
      positions.push(position);
      return;
    }
    const list = item as readonly Tokens<T>[];
    for (let i = 0; i < list.length && i < length; i++) {
      collect(list[i] as Tokens<T>, depth + 1, position * length + i);
    }
  };
  collect(data, 0, 0);
  return { shape, tokens, positions };
}

const kMostElements = 2 ** 30;

/** Zeros for a result of that shape; ShapeError if no memory holds them. */
export function zeros<T extends Int32Array | Float32Array>(
  Class: new (length: number) => T,
  shape: readonly number[],
  who: string,
): T {
  const size = elementCount(shape);
  try {
    if (size <= kMostElements) return new Class(size);
  } catch {}
  throw new ShapeError(
    `${who}: a result of shape [${shape}] takes ${4 * size} bytes, more than there may be; use fewer rows, shorter ones or a smaller vocabulary`,
  );
}
