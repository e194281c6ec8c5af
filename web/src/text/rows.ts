// SPDX-License-Identifier: MIT
// The data that layers of maskflow/text accept: nested lists, typed arrays and tensors, as flat
// tokens with positions.
import { elementCount } from '../base/array.js';
import { eachBatch } from '../base/batches.js';
import { describe } from '../base/check.js';
import { ShapeError, ValueError } from '../base/errors.js';
import { exactNumber, isBigIntArray, isTypedArray, type TypedArray } from '../base/nested.js';
import { isTensor } from '../tensor/tensor.js';

/** A token, or nested lists of tokens. */
export type Tokens<T> = T | readonly Tokens<T>[];

/** Tokens with their positions in an array of this shape. Short rows leave positions empty. */
export interface Rows<T> {
  shape: number[];
  tokens: T[];
  positions: number[];
}

/** Deepest nesting of lists. */
const kDeepest = 64;

/** Converts lists, tensors and typed arrays to nested lists of tokens of one type. */
export function tokenLists<T>(
  data: unknown,
  type: 'string' | 'number',
  label: string,
  depth = 0,
): Tokens<T> {
  if (depth > kDeepest) {
    throw new ShapeError(
      `the lists for ${label} are nested more than ${kDeepest} deep; does a list contain itself?`,
    );
  }
  if (isTensor(data)) return tokenLists(data.array(), type, label);
  if (Array.isArray(data))
    return Array.from(data, (item) => tokenLists<T>(item, type, label, depth + 1));
  if (isTypedArray(data) || isBigIntArray(data)) {
    // Reads items by index: iterating throws for an array whose buffer was transferred.
    const { length } = data as TypedArray;
    return Array.from({ length }, (_, i) => tokenLists<T>(data[i], type, label, depth + 1));
  }
  if (typeof data === type) return data as T;
  if (typeof data === 'bigint' && type === 'number') {
    return exactNumber(data, `an integer for ${label}`) as T;
  }
  throw new ValueError(`${label} needs ${type}s or lists of them, not ${describe(data)}`);
}

/** Returns the rows of all batches, in which `read` finds the tokens. */
export async function rowsOfBatches<T>(
  batches: unknown,
  read: (batch: unknown) => Tokens<T>,
): Promise<Tokens<T>[]> {
  const rows: Tokens<T>[] = [];
  await eachBatch<unknown>(batches, (batch) => {
    const tokens = read(batch);
    if (Array.isArray(tokens)) for (const row of tokens as Tokens<T>[]) rows.push(row);
    else rows.push(tokens);
  });
  return rows;
}

/** Returns whether the first value of the data is a number. */
export function isNumeric(data: unknown): boolean {
  let first = data;
  for (let depth = 0; depth < kDeepest && Array.isArray(first); depth++) first = first[0];
  return (
    isTensor(first) ||
    isTypedArray(first) ||
    isBigIntArray(first) ||
    /^(number|bigint)$/.test(typeof first)
  );
}

/** Arranges lists as rows of one length: `width`, or that of the longest row. */
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
      throw new ShapeError(
        'a list contains both tokens and lists of tokens; nest all tokens equally deep',
      );
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

const kMaxElements = 2 ** 30;

/** Creates an array of zeros for a result of this shape. Throws ShapeError if it is too large. */
export function zeros<T extends Int32Array | Float32Array>(
  Class: new (length: number) => T,
  shape: readonly number[],
  label: string,
): T {
  const size = elementCount(shape);
  try {
    if (size <= kMaxElements) return new Class(size);
  } catch {}
  throw new ShapeError(
    `${label}: a result of shape [${shape}] needs ${4 * size} bytes, more than can be allocated; use fewer or shorter rows, or a smaller vocabulary`,
  );
}
