// SPDX-License-Identifier: MIT
// Reads tensors and nested arrays. Figures only call methods of the objects that they receive, so
// that they draw models of every entry without its engine.
import { describe } from '../base/check.js';
import { ShapeError, ValueError } from '../base/errors.js';

/** A nested array of numbers or booleans, or a number or boolean. */
export type Values = number | boolean | readonly Values[] | ArrayLike<number>;

/** A tensor of any entry of the package. */
export interface DrawableTensor {
  /** Shape of the tensor. */
  readonly shape: readonly (number | null)[];
  /** Mask of the tensor; each reading returns a new one. */
  readonly mask: DrawableTensor | null;
  /** Returns the values. */
  array(): Values;
  /** Frees the tensor. */
  dispose(): void;
}

/** A tensor, or nested arrays of numbers or booleans. */
export type Drawable = DrawableTensor | Values;

/** Nested arrays after reading. */
export type Nested = number | boolean | Nested[];

const isTensor = (value: unknown): value is DrawableTensor =>
  typeof (value as { array?: unknown } | null | undefined)?.array === 'function';

/** Returns the values of a tensor or of nested arrays as nested arrays. */
export function valuesOf(value: unknown, what: string): Nested {
  const values: unknown = isTensor(value) ? value.array() : value;
  const read = (item: unknown): Nested => {
    if (typeof item === 'number' || typeof item === 'boolean') return item;
    if (typeof item === 'bigint') return Number(item);
    const isList = Array.isArray(item) || (ArrayBuffer.isView(item) && 'length' in item);
    if (!isList) {
      throw new ValueError(
        `${what} must be a tensor or nested arrays of numbers or booleans, not ${describe(item)}`,
      );
    }
    return Array.from(item as ArrayLike<unknown>, read);
  };
  return read(values);
}

/** Returns the mask of a tensor as nested booleans; null for other values and without a mask. */
export function maskOf(value: unknown): Nested | null {
  if (!isTensor(value)) return null;
  const { mask } = value;
  if (!mask) return null;
  const values = valuesOf(mask, 'the mask');
  mask.dispose();
  return values;
}

/** Returns the shape of nested arrays. Throws ShapeError for rows of different lengths. */
export function shapeOf(values: Nested, what: string): number[] {
  if (!Array.isArray(values)) return [];
  const [first, ...others] = values.map((item) => shapeOf(item, what));
  if (others.some((shape) => String(shape) !== String(first))) {
    throw new ShapeError(`${what} has rows of different lengths; pad them first with padSequences`);
  }
  return [values.length, ...(first ?? [])];
}

/** Returns the rows of the last axis; all other axes are joined. */
export function rowsOf(values: Nested): (number | boolean)[][] {
  if (!Array.isArray(values)) return [[values]];
  if (!values.some(Array.isArray)) return [values as (number | boolean)[]];
  return (values as Nested[]).flatMap(rowsOf);
}

/** Writes a number as figures do: three digits, and no zeros at its end. */
export function numberText(value: number | boolean): string {
  if (typeof value === 'boolean') return value ? 'T' : 'F';
  if (Number.isInteger(value) && Math.abs(value) < 1e6) return String(value);
  return String(Number(value.toPrecision(3))).replace('-', '−');
}
