// SPDX-License-Identifier: MIT
// Input of the model of bench/load. It is apart from model.mjs, because pages import it, too.

/** Number of steps per row. It is small, because this workload measures the large weights. */
export const steps = 4;
export const words = 60_000;

/** Returns rows of word ids with padding. */
export function rowsOfWords(count) {
  const data = new Int32Array(count * steps);
  for (let i = 0; i < data.length; i++) {
    const step = i % steps;
    const length = 1 + (Math.floor(i / steps) % steps);
    data[i] = step < length ? 1 + ((i * 7919) % (words - 1)) : 0;
  }
  return data;
}
