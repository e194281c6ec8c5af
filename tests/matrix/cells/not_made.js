// SPDX-License-Identifier: MIT
/** Cells that are wanted and that nobody has made yet. */
export const notMade = ['Safari', 'Node on Windows and macOS'];
