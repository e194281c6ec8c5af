// SPDX-License-Identifier: MIT
// Numbers for the weights and inputs of workloads, which are equal in every engine.

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

/** Returns whether a step of a row is kept; without lengths, all are. */
export const isWithin = (lengths) => (row, t) => !lengths || t < lengths[row];

/** Returns random features, with zeros where `keep(row, time)` is false. */
export function features(random, [batch, time, width], keep = () => true) {
  const data = uniform(random, batch * time * width, 1);
  for (let row = 0; row < batch; row++) {
    for (let t = 0; t < time; t++) {
      const at = (row * time + t) * width;
      if (!keep(row, t)) data.fill(0, at, at + width);
    }
  }
  return { type: 'float32', shape: [batch, time, width], data };
}

/** Returns random ids from 1 on, with zeros after the lengths. */
export function words(random, [batch, time], vocabulary, lengths) {
  const data = whole(random, batch * time, 1, vocabulary - 1);
  for (let row = 0; row < batch && lengths; row++)
    data.fill(0, row * time + lengths[row], (row + 1) * time);
  return { type: 'int32', shape: [batch, time], data };
}
