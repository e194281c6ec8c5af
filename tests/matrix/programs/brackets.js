// SPDX-License-Identifier: MIT
// Two rows for the trained model brackets.keras, and its results.
export const rows = [
  [1, 3, 5, 6, 4, 2],
  [1, 3, 2, 4, 0, 0],
];
export const answers = [0.99658036, 0.0000018309072];
