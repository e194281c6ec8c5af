// SPDX-License-Identifier: MIT

/** Steps of a row. Few: it is the weights that are large here. */
export const steps = 4;
export const words = 60_000;

/** Rows of numbers of words, with padding. */
export function rowsOfWords(count) {
  const data = new Int32Array(count * steps);
  for (let i = 0; i < data.length; i++) {
    const step = i % steps;
    const kept = 1 + (Math.floor(i / steps) % steps);
    data[i] = step < kept ? 1 + ((i * 7919) % (words - 1)) : 0;
  }
  return data;
}
