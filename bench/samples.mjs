// SPDX-License-Identifier: MIT
// Statistics of repeated measurements.

/** Returns the median of the values: for an even count, the mean of the two in the middle. */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}
