// SPDX-License-Identifier: MIT
// Compares the results of two runs at the steps that are data in both.
import type { Tensor } from '../../tensor/tensor.js';
import { type Rows, rowsOf } from './leaves.js';

/** Differences below this share of the largest number are rounding. */
const kRelative = 1e-4;
const kAbsolute = 1e-5;

/** How the steps of the longer run lie: where its padding is, and the kept steps of the shorter. */
export interface Alignment {
  readonly side: 'pre' | 'post';
  readonly kept: Rows | null;
}

const strides = (shape: readonly number[]): number[] =>
  shape.map((_, axis) => shape.slice(axis + 1).reduce((product, dim) => product * dim, 1));

const gapOf = (a: number, b: number): number => {
  if (Object.is(a, b) || a === b || (Number.isNaN(a) && Number.isNaN(b))) return 0;
  const gap = Math.abs(a - b);
  return Number.isNaN(gap) ? Number.POSITIVE_INFINITY : gap;
};

/**
 * Returns the largest difference of two results, or 0 if it is rounding. An axis that is longer in
 * the padded result has the padding on its side.
 */
export function differenceOf(short: Tensor, long: Tensor, { side, kept }: Alignment): number {
  const [shape, longShape] = [short.shape, long.shape];
  const grows = shape.map((dim, axis) => (longShape[axis] as number) - dim);
  if (shape.length !== longShape.length || grows.some((count) => count < 0)) {
    return Number.POSITIVE_INFINITY;
  }
  const mask = rowsOf(short.mask) ?? (grows[1] === 0 ? null : kept);
  const isMasked = mask !== null && mask[0]?.length === shape[1] && mask.length === shape[0];
  const [a, b] = [short.data(), long.data()];
  const [steps, longSteps] = [strides(shape), strides(longShape)];
  const offset = grows.reduce(
    (sum, count, axis) => sum + (side === 'pre' ? count * (longSteps[axis] as number) : 0),
    0,
  );
  let max = 0;
  let scale = 0;
  for (let i = 0; i < a.length; i++) {
    let place = offset;
    let rest = i;
    let isKept = true;
    for (let axis = 0, row = 0; axis < shape.length; axis++) {
      const index = Math.floor(rest / (steps[axis] as number));
      rest %= steps[axis] as number;
      place += index * (longSteps[axis] as number);
      if (axis === 0) row = index;
      if (axis === 1 && isMasked) isKept = mask?.[row]?.[index] ?? true;
    }
    if (!isKept) continue;
    const [x, y] = [a[i] as number, b[place] as number];
    if (Number.isFinite(x)) scale = Math.max(scale, Math.abs(x));
    max = Math.max(max, gapOf(x, y));
  }
  return max > kAbsolute + kRelative * scale ? max : 0;
}

/** Returns the largest difference between the results of two calls. */
export const largestDifference = (
  short: readonly Tensor[],
  long: readonly Tensor[],
  alignment: Alignment,
): number =>
  short.length === long.length
    ? Math.max(0, ...short.map((each, i) => differenceOf(each, long[i] as Tensor, alignment)))
    : Number.POSITIVE_INFINITY;
