// SPDX-License-Identifier: MIT
// Generated from scripts/build/entries.mjs; do not edit.

import type { WasmChunks } from './wasm_input.js';

/** The wasm of `maskflow/train`. */
export const trainChunks: WasmChunks = {
  simd: {
    difference: 'chunks/train-simd.js',
    load: () => import('./chunks/train-simd.js'),
  },
  relaxed: {
    file: 'maskflow-train-relaxed.wasm',
    load: () => import('./chunks/train-relaxed.js'),
  },
  threads: {
    difference: 'chunks/train-threads.js',
    load: () => import('./chunks/train-threads.js'),
  },
  simd_threads: {
    difference: 'chunks/train-simd_threads.js',
    load: () => import('./chunks/train-simd_threads.js'),
  },
};
