// SPDX-License-Identifier: MIT
// Times and ratios in the words of the chapter "cost".
import type { Quartiles } from './read.js';

export const percent = (share: number): string => `${Math.round(share * 100)} %`;

export const milliseconds = (value: number): string =>
  `${value < 10 ? value.toFixed(2) : value.toFixed(1)} ms`;

export const millions = (number: number): string =>
  number < 1e6 ? `${(number / 1000).toFixed(0)} thousand` : `${(number / 1e6).toFixed(1)} million`;

/** Returns a ratio as text, such as '3 times' or '1.8 times'. */
export const times = (ratio: number): string =>
  `${ratio >= 9.95 || Math.abs(ratio - Math.round(ratio)) < 0.05 ? Math.round(ratio) : ratio.toFixed(1)} times`;

/**
 * Says which was faster, or that they do not differ if the middle half of the ratios contains 1.
 */
export function comparison({ low, median, high }: Quartiles): string {
  if (low > 1)
    return `skipping the masked ones was ${times(median)} as fast as computing every step, in the median of the rounds.`;
  if (high < 1) return 'skipping the masked ones was slower than computing every step.';
  return 'the difference was within the noise of this machine.';
}
