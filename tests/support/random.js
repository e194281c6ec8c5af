// SPDX-License-Identifier: MIT
// Random but repeatable numbers: every property names its seed when it fails.

/** Returns numbers in [0, 1) from a seed (mulberry32). */
export function generator(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

export const integer = (random, low, high) => low + Math.floor(random() * (high - low + 1));
export const pick = (random, list) => list[integer(random, 0, list.length - 1)];
export const block = (random, ...[first, ...innerSizes]) =>
  Array.from({ length: first }, () =>
    innerSizes.length > 0 ? block(random, ...innerSizes) : Math.fround(random() * 2 - 1),
  );

/** Masks of one row, by the position of the padding. Some rows have no kept step. */
export const shapes = {
  right: (random, time) => {
    const keptCount = integer(random, 0, time);
    return Array.from({ length: time }, (_, t) => t < keptCount);
  },
  left: (random, time) => {
    const masked = integer(random, 0, time);
    return Array.from({ length: time }, (_, t) => t >= masked);
  },
  scattered: (random, time) => Array.from({ length: time }, () => random() < 0.6),
};

export const maskOf = (random, shape, batch, time) =>
  Array.from({ length: batch }, () => shapes[shape](random, time));

/** Runs a test with many seeds; the message of a failure begins with the seed. */
export function forSeeds(count, property) {
  for (let seed = 1; seed <= count; seed++) {
    try {
      property(generator(seed * 7919), seed);
    } catch (error) {
      error.message = `seed ${seed}: ${error.message}`;
      throw error;
    }
  }
}
