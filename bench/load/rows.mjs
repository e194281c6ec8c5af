// SPDX-License-Identifier: MIT

/** Steps per row. There are few, because the weights are the large part here. */
export const steps = 4;
export const words = 60_000;

/** Rows of word ids, with padding. */
export function rowsOfWords(count) {
  const data = new Int32Array(count * steps);
  for (let i = 0; i < data.length; i++) {
    const step = i % steps;
    const length = 1 + (Math.floor(i / steps) % steps);
    data[i] = step < length ? 1 + ((i * 7919) % (words - 1)) : 0;
  }
  return data;
}
