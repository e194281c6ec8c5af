// SPDX-License-Identifier: MIT
import { describe } from './check.js';
import { ShapeError, ValueError } from './errors.js';

/** A number, or arrays of arrays of … numbers. */
export type Nested = number | boolean | readonly Nested[];
export type NestedArray<T> = T | NestedArray<T>[];
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

/** One of numbers: neither a DataView nor an array of BigInts. */
export function isTypedArray(value: unknown): value is TypedArray {
  if (!ArrayBuffer.isView(value)) return false;
  return !/^(DataView|Big)/.test((value as TypedArray)[Symbol.toStringTag]);
}

// Tensors have at most 8 axes; what is deeper contains itself, or is a mistake.
const kDeepest = 32;

/** Shape and elements, in order; a ShapeError when rows differ in length. */
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
      throw new ValueError(
        `${at ? `the element at [${at}] of a tensor` : 'a tensor'} cannot be ${describe(value)}; tensors are made of numbers and booleans`,
      );
    }
    if (depth !== shape.length) throw ragged(at, 'a number', 'an array', depth);
    items.push(value);
    return;
  }
  if (depth > kDeepest) {
    throw new ShapeError(
      `arrays are nested more than ${kDeepest} deep; do they contain themselves?`,
    );
  }
  if (depth === shape.length) {
    if (items.length > 0) throw ragged(at, 'an array', 'a number', depth);
    shape.push(list.length);
  }
  if (list.length !== shape[depth])
    throw ragged(at, `${list.length} items`, `${shape[depth]}`, depth);
  for (let i = 0; i < list.length; i++)
    visit(list[i] as Nested, depth + 1, at ? `${at}, ${i}` : `${i}`, shape, items);
}

function ragged(at: string, got: string, first: string, depth: number): ShapeError {
  return new ShapeError(
    `the rows differ: [${at}] has ${got} where the first one at depth ${depth} has ${first}; padSequences makes rows equally long`,
  );
}

/** Arrays of arrays in the given shape. */
export function nest<T>(items: ArrayLike<T>, shape: readonly number[]): NestedArray<T> {
  const build = (depth: number, from: number, size: number): NestedArray<T> => {
    if (depth === shape.length) return items[from] as T;
    const count = shape[depth] as number;
    const step = count === 0 ? 0 : size / count;
    return Array.from({ length: count }, (_, i) => build(depth + 1, from + i * step, step));
  };
  return build(0, 0, items.length);
}
