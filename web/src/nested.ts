// SPDX-License-Identifier: MIT
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

export function isTypedArray(value: unknown): value is TypedArray {
  return ArrayBuffer.isView(value) && !(value instanceof DataView);
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
        `the element at [${at}] is ${describe(value)}; tensors hold numbers and booleans`,
      );
    }
    if (depth !== shape.length) throw ragged(at, 'a number', 'an array', depth);
    items.push(value);
    return;
  }
  if (depth > kDeepest) {
    throw new ShapeError(`arrays are nested more than ${kDeepest} deep; do they contain themselves?`);
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

export function describe(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  return typeof value === 'string' ? `the string '${value}'` : `of type ${typeof value}`;
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
