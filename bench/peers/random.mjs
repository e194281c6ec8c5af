// SPDX-License-Identifier: MIT
/**
 * Returns a generator of uniform numbers in [0, 1) (32-bit xorshift), which are equal in every
 * engine.
 */
export function generator(seed) {
  let state = (seed * 2654435761) >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state >>>= 0;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state / 4294967296;
  };
}

/** Returns `count` numbers, uniform in [-bound, bound). */
export function uniform(random, count, bound) {
  return Float32Array.from({ length: count }, () => (2 * random() - 1) * bound);
}

/** Returns `count` integers, uniform in first..last. */
export function whole(random, count, first, last) {
  return Int32Array.from(
    { length: count },
    () => first + Math.floor(random() * (last - first + 1)),
  );
}
