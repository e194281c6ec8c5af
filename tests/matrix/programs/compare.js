// SPDX-License-Identifier: MIT

/** Returns 'ok', or the numbers that differ from the expected ones. */
export function compare(numbers, wanted) {
  const same =
    numbers.length === wanted.length && wanted.every((x, i) => Math.abs(x - numbers[i]) < 1e-6);
  return same ? 'ok' : `other numbers: ${JSON.stringify(numbers)}`;
}
