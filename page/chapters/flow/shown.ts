// SPDX-License-Identifier: MIT
// Tensors of the chapter "flow", cut to what a figure can show.
import type { Tensor } from 'maskflow';

/** A tensor for a figure. */
export interface Shown {
  title: string;
  shape: number[];
  dtype: string;
  mask: boolean[][] | null;
  /** The first 20 000 numbers, in order. */
  values: number[];
}

/** Largest number of values that a figure gets of one tensor. */
const maxValues = 20_000;

export const shownOf = (title: string, x: Tensor): Shown => ({
  title,
  shape: [...x.shape] as number[],
  dtype: x.dtype,
  mask: (x.mask?.array() as boolean[][] | undefined) ?? null,
  values: Array.from(x.data().subarray(0, maxValues), Number),
});
