// SPDX-License-Identifier: MIT
import type { Tensor } from 'maskflow';

/** A tensor for a figure. */
export interface Shown {
  title: string;
  shape: number[];
  dtype: string;
  mask: boolean[][] | null;
  /** The numbers in order; of very many the first. */
  values: number[];
}

/** As many numbers as a figure gets of one tensor. */
const most = 20_000;

export const shownOf = (title: string, x: Tensor): Shown => ({
  title,
  shape: [...x.shape] as number[],
  dtype: x.dtype,
  mask: (x.mask?.array() as boolean[][] | undefined) ?? null,
  values: Array.from(x.data().subarray(0, most), Number),
});
