// SPDX-License-Identifier: MIT
/** Cells that are wanted and that nobody has made yet. */
export const notMade = ['Safari itself, on macOS and iOS', 'Node on Windows and macOS'];
