// SPDX-License-Identifier: MIT
/** Engines for which there are no cells yet. */
export const notMade = ['Safari itself, on macOS and iOS', 'Node on Windows and macOS'];
