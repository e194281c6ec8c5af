// SPDX-License-Identifier: MIT
// Pairs of numbers, and which of them are farthest apart. Workers use them, too.

/** Two numbers of which the page shows the difference. */
export type Pair = readonly [number, number];

/** Returns the difference of a pair; 0 for NaN and NaN. */
export const apart = ([a, b]: Pair): number => (Object.is(a, b) ? 0 : Math.abs(a - b));

/** Returns the pair that is farther apart; NaN is farther than any number. */
export const farther = (a: Pair, b: Pair): Pair =>
  !Number.isNaN(apart(a)) && (Number.isNaN(apart(b)) || apart(b) > apart(a)) ? b : a;

/** Returns the two numbers at one index that are farthest apart; undefined without numbers. */
export function farthest(a: ArrayLike<number>, b: ArrayLike<number>): Pair | undefined {
  let most: Pair | undefined;
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const pair = [a[i] ?? 0, b[i] ?? 0] as const;
    most = most ? farther(most, pair) : pair;
  }
  return most;
}
