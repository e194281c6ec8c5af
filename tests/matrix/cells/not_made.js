// SPDX-License-Identifier: MIT
/** Cells that are wanted and that nobody has made yet. */
export const notMade = [
  'the development servers of webpack, Rspack, Parcel, Next, Nuxt, SvelteKit and Astro',
  'Safari itself, on macOS and iOS',
  'Node on Windows and macOS',
];
