// SPDX-License-Identifier: MIT
// Limits on bytes: what a page fetches, and the package. Round numbers a little above today's
// figures: a change that exceeds one says in its commit what the bytes are for.

/**
 * In gzip: the entry with its imports, the glue and the wasm as scripts. The goals are 164 and 268
 * kB.
 */
export const page = { recurrent: 183_000, index: 296_000 };

/**
 * In brotli at its highest quality, as hosts and CDNs store static files: the same page with its
 * wasm as a file. The goals are 115 and 190 kB.
 */
export const pageWithFile = { recurrent: 167_500, index: 267_000 };

/**
 * In gzip: what an engine without relaxed SIMD fetches in addition, because `simd` is computed from
 * `relaxed`. As modules of their own, both would add 1.1 MB to the package.
 */
export const difference = { recurrent: 8_000, index: 19_000 };

/** In gzip: the chunks that read a .keras file. */
export const loading = 40_000;

/**
 * In gzip: what the entry adds to `maskflow`, and what reads a .pth file (more than half of it is
 * `loading`, which is one file, because each further one is a request of every page).
 */
export const torch = { entry: 8_000, reading: 55_000 };

/**
 * In gzip: the file of maskflow/draw. A third is drawModel, and a third is common to all figures.
 */
export const drawing = 10_000;

/**
 * In gzip: maskflow/port, which no other entry fetches. A third is the parser of Python, and a
 * tenth the names and settings of Keras. The goal is 60 kB.
 */
export const translating = 83_000;

/**
 * The packed package and its files. 1.7 MB are wasm, as scripts and as files; 0.48 MB the scripts
 * of workers, as files and as text; 0.4 MB maskflow.iife.js; 29 kB the threads of Safari. The goal
 * is 3.4 MB.
 */
export const tarball = { packed: 3_714_500, files: 171 };
