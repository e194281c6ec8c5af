// SPDX-License-Identifier: MIT
/** Cells that do not exist yet. */
export const notMade = ['Safari itself, on macOS and iOS', 'Node on Windows and macOS'];
