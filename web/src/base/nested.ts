// SPDX-License-Identifier: MIT
// Nested arrays, the form in which users pass data and read results: their types, and their
// conversion to and from flat elements.
import { checkAttached } from './attached.js';
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

/** An array of 64-bit integers, as tokenizers return them. */
export type BigIntArray = BigInt64Array | BigUint64Array;

/** Returns whether the value is a typed array of 64-bit integers. */
export const isBigIntArray = (value: unknown): value is BigIntArray =>
  ArrayBuffer.isView(value) && /^Big/.test((value as BigIntArray)[Symbol.toStringTag]);

/** Returns the number of a bigint. Throws ValueError beyond ±(2⁵³ - 1), where numbers have gaps. */
export function exactNumber(value: bigint, what: string): number {
  const number = Number(value);
  if (Number.isSafeInteger(number)) return number;
  throw new ValueError(
    `${what} is ${value}, beyond ±(2^53 - 1), which numbers cannot represent; use smaller ids`,
  );
}

/** Returns whether the value is a typed array of numbers: not a DataView, not of BigInts. */
export function isTypedArray(value: unknown): value is TypedArray {
  if (!ArrayBuffer.isView(value)) return false;
  return !/^(DataView|Big)/.test((value as TypedArray)[Symbol.toStringTag]);
}

// Tensors have at most 8 axes; deeper arrays contain themselves or are a mistake.
const kDeepest = 32;

/** The shape and the elements of nested arrays, and the number of elements that are bigints. */
interface Flat {
  readonly shape: number[];
  readonly items: (number | boolean)[];
  bigints: number;
  readonly tick: (() => void) | undefined;
}

/** Nested arrays with typed arrays in them. */
type WithTyped = Nested | BigIntArray | readonly (TypedArray | BigIntArray)[];

/**
 * Returns the shape and the elements in row-major order. Throws ShapeError if rows differ in
 * length. Calls `tick` for each item of a list.
 */
export function flatten(value: WithTyped, tick?: () => void): Flat {
  const flat: Flat = { shape: [], items: [], bigints: 0, tick };
  visit(value as Nested, 0, '', flat);
  return flat;
}

/** Same as `flatten`, with an Int32Array for bigints that fit in one. */
export function elementsOf(value: WithTyped): {
  shape: number[];
  items: ArrayLike<number | boolean>;
} {
  const { shape, items, bigints } = flatten(value);
  if (bigints === 0 || bigints < items.length) return { shape, items };
  const integers = Int32Array.from(items as number[]);
  return { shape, items: integers.every((x, i) => x === items[i]) ? integers : items };
}

function visit(value: Nested | bigint, depth: number, at: string, flat: Flat): void {
  const { shape, items } = flat;
  const isList = Array.isArray(value) || isTypedArray(value) || isBigIntArray(value);
  const list = isList ? (value as ArrayLike<Nested>) : null;
  if (!list) {
    const what = at ? `the element at [${at}] of a tensor` : 'a tensor';
    if (typeof value !== 'number' && typeof value !== 'boolean' && typeof value !== 'bigint') {
      const remedy =
        typeof value === 'string'
          ? '; TextVectorization converts text'
          : at && Object(value) === value
            ? '; join tensors with ops.stack([a, b])'
            : '';
      throw new ValueError(
        `${what} cannot be ${describe(value)}; give numbers or booleans${remedy}`,
      );
    }
    if (depth !== shape.length) throw raggedError(at, 'a number', 'an array', depth);
    if (typeof value === 'bigint') flat.bigints++;
    items.push(typeof value === 'bigint' ? exactNumber(value, what) : value);
    return;
  }
  if (ArrayBuffer.isView(list)) checkAttached(list);
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
  for (let i = 0; i < list.length; i++) {
    flat.tick?.();
    visit(list[i] as Nested, depth + 1, at ? `${at}, ${i}` : `${i}`, flat);
  }
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
