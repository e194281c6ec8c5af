// SPDX-License-Identifier: MIT
// Shuffling for `fit`, `splitDataset` and windows. It is not Keras's order, but the same order
// everywhere.

/** Returns 32 random bits determined by these numbers, by rounds of MurmurHash3's finalizer. */
function randomBits(seed: number, stream: number, counter: number): number {
  let h = 0x9e3779b9;
  for (const word of [seed, Math.floor(seed / 2 ** 32), stream, counter]) {
    h = Math.imul(h ^ word, 0x85ebca6b);
    h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
    h = (h ^ (h >>> 16)) + 0x9e3779b9;
  }
  return h >>> 0;
}

/**
 * Returns the numbers from 0 to `count` - 1 in a random order, which is the same for the same seed
 * and stream in every engine. Each draw depends only on its number, not on earlier draws.
 */
export function permutation(count: number, seed: number, stream: number): Int32Array {
  const order = Int32Array.from({ length: count }, (_, i) => i);
  for (let last = count - 1; last > 0; last--) {
    const other = Math.floor((randomBits(seed, stream, last) / 2 ** 32) * (last + 1));
    [order[last], order[other]] = [order[other] as number, order[last] as number];
  }
  return order;
}
