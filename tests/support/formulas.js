// SPDX-License-Identifier: MIT
// Plain formulas over rows of numbers, to compare ops with.
const { exp, log } = Math;

export const softmax = (row) => row.map((x) => exp(x) / row.reduce((sum, y) => sum + exp(y), 0));
export const logsumexp = (row) => log(row.reduce((sum, x) => sum + exp(x), 0));
// Computes Keras's sparsemax: Keras 3 adds all sums of the support, where the definition uses only
// the last one.
export function sparsemax(row) {
  const sorted = [...row].sort((a, b) => b - a);
  let sum = 0;
  let total = 0;
  let support = 0;
  for (const [i, x] of sorted.entries()) {
    sum += x;
    if (x - (sum - 1) / (i + 1) > 0) {
      total += sum;
      support++;
    }
  }
  return row.map((x) => Math.max(x - (total - 1) / support, 0));
}
