// SPDX-License-Identifier: MIT
import { describe } from './check.js';
import { ShapeError, ValueError } from './errors.js';

/** A number or boolean, or nested arrays of them. */
export type Nested = number | boolean | readonly Nested[];
/** Nested arrays of items of type T, or one item. */
export type NestedArray<T> = T | NestedArray<T>[];
/** A typed array of numbers. */
export type TypedArray =
  | Float32Array
  | Float64Array
  | Int8Array
  | Uint8Array
  | Uint8ClampedArray
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array;

/** Returns whether the value is a typed array of numbers: not a DataView, not of BigInts. */
export function isTypedArray(value: unknown): value is TypedArray {
  if (!ArrayBuffer.isView(value)) return false;
  return !/^(DataView|Big)/.test((value as TypedArray)[Symbol.toStringTag]);
}

// Tensors have at most 8 axes; deeper arrays contain themselves or are a mistake.
const kDeepest = 32;

/**
 * Returns the shape and the elements in row-major order. Throws ShapeError if rows differ in
 * length.
 */
export function flatten(value: Nested | readonly TypedArray[]): {
  shape: number[];
  items: (number | boolean)[];
} {
  const shape: number[] = [];
  const items: (number | boolean)[] = [];
  visit(value as Nested, 0, '', shape, items);
  return { shape, items };
}

function visit(
  value: Nested,
  depth: number,
  at: string,
  shape: number[],
  items: (number | boolean)[],
): void {
  const list = Array.isArray(value) || isTypedArray(value) ? (value as ArrayLike<Nested>) : null;
  if (!list) {
    if (typeof value !== 'number' && typeof value !== 'boolean') {
      const what = describe(value);
      // Tokenizers return their indices as 64-bit integers.
      const remedy = /^(a bigint|an object of class Big)/.test(what)
        ? 'convert 64-bit integers: Int32Array.from(integers, Number)'
        : 'give numbers or booleans';
      throw new ValueError(
        `${at ? `the element at [${at}] of a tensor` : 'a tensor'} cannot be ${what}; ${remedy}`,
      );
    }
    if (depth !== shape.length) throw raggedError(at, 'a number', 'an array', depth);
    items.push(value);
    return;
  }
  if (depth > kDeepest) {
    throw new ShapeError(
      `arrays are nested more than ${kDeepest} deep; do they contain themselves?`,
    );
  }
  if (depth === shape.length) {
    if (items.length > 0) throw raggedError(at, 'an array', 'a number', depth);
    shape.push(list.length);
  }
  if (list.length !== shape[depth])
    throw raggedError(at, `${list.length} items`, `${shape[depth]}`, depth);
  for (let i = 0; i < list.length; i++)
    visit(list[i] as Nested, depth + 1, at ? `${at}, ${i}` : `${i}`, shape, items);
}

function raggedError(at: string, got: string, first: string, depth: number): ShapeError {
  return new ShapeError(
    `the rows differ: [${at}] has ${got} where the first one at depth ${depth} has ${first}; make rows equally long with padSequences`,
  );
}

/** Arranges items in nested arrays of the shape. */
export function nest<T>(items: ArrayLike<T>, shape: readonly number[]): NestedArray<T> {
  const build = (depth: number, from: number, size: number): NestedArray<T> => {
    if (depth === shape.length) return items[from] as T;
    const count = shape[depth] as number;
    const step = count === 0 ? 0 : size / count;
    return Array.from({ length: count }, (_, i) => build(depth + 1, from + i * step, step));
  };
  return build(0, 0, items.length);
}
