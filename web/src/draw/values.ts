// SPDX-License-Identifier: MIT
// Reads tensors and nested arrays. Figures only call methods of the objects that they receive, so
// that they draw models of every entry without its engine.
import { flatten, type Nested } from '../base/nested.js';

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

/** Numbers or booleans with their shape. */
export interface Items {
  shape: number[];
  items: (number | boolean)[];
}

const isTensor = (value: unknown): value is DrawableTensor =>
  typeof (value as Partial<DrawableTensor> | null | undefined)?.array === 'function';

/** Reads a tensor or nested arrays. */
export const itemsOf = (value: unknown): Items =>
  flatten((isTensor(value) ? value.array() : value) as Nested);

/** Reads the mask of a tensor; undefined for other values and without a mask. */
export function maskOf(value: unknown): Items | undefined {
  const mask = isTensor(value) && value.mask;
  if (!mask) return undefined;
  const items = itemsOf(mask);
  mask.dispose();
  return items;
}

/** Returns the rows of the last axis; all other axes are joined. */
export function rowsOf({ shape, items }: Items): (number | boolean)[][] {
  const size = shape.at(-1) ?? 1;
  return Array.from({ length: size && items.length / size }, (_, row) =>
    items.slice(row * size, (row + 1) * size),
  );
}

/** Writes a number as figures do: with some significant digits, and no zeros at its end. */
export function numberText(value: number | boolean, digits = 3): string {
  if (typeof value === 'boolean') return value ? 'T' : 'F';
  const isShort = Number.isInteger(value) && Math.abs(value) < 1e6;
  const rounded = isShort ? value : Number(value.toPrecision(digits));
  return (Math.abs(rounded) < 1e6 ? String(rounded) : rounded.toExponential())
    .replace('e+', 'e')
    .replaceAll('-', '−');
}
