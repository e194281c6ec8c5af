// SPDX-License-Identifier: MIT
// Times and ratios in the words of the chapter "cost".
import { type Sum, shareOf } from '../../shared/arithmetic.js';
import type { CostRow, Quartiles } from './read.js';

export const percent = (share: number): string => `${Math.round(share * 100)} %`;

export const milliseconds = (value: number): string =>
  `${value < 10 ? value.toFixed(2) : value.toFixed(1)} ms`;

export const millions = (number: number): string =>
  number < 1e6 ? `${(number / 1000).toFixed(0)} thousand` : `${(number / 1e6).toFixed(1)} million`;

/**
 * Returns the share of the time that the mask saves, from the two medians that the figure shows.
 */
export const savedShare = ({ kept }: Pick<CostRow, 'kept'>, every: Quartiles): number =>
  1 - kept.median / every.median;

/**
 * Says how long both took, or that they do not differ if the middle half of the ratios contains 1.
 */
export function comparison({ kept, ratio }: CostRow, every: Quartiles): string {
  const saved = savedShare({ kept }, every);
  const both = `${milliseconds(kept.median)} in place of ${milliseconds(every.median)}`;
  if (ratio.low > 1 && saved > 0)
    return `the batch takes ${both}: ${percent(saved)} of the time is saved.`;
  if (ratio.high < 1 && saved < 0)
    return `the batch takes ${both}: skipping is ${percent(-saved)} slower.`;
  return 'the difference is within the noise of this machine.';
}

/** Returns the arithmetic of the shares of kept steps and of saved time in the sentence. */
export function sumsOf({ kept, ratio, keptSteps, share }: CostRow, every: Quartiles): Sum[] {
  const steps: Sum = [percent(share), shareOf(keptSteps, Math.round(keptSteps / share))];
  const saved = savedShare({ kept }, every);
  if (!(ratio.low > 1 && saved > 0)) return [steps];
  const [part, whole] = [milliseconds(kept.median), milliseconds(every.median)];
  return [steps, [percent(saved), `1 − ${part} / ${whole} = ${saved.toFixed(2)}`]];
}

/** Says how much of the work of all steps is left. */
export const workLeft = (share: number): string =>
  share === 1 ? 'It needs all multiply-adds.' : `It needs ${percent(share)} of the multiply-adds.`;
