// SPDX-License-Identifier: MIT
// Generated from scripts/build/entries.mjs; do not edit.

import type { WasmChunks } from './wasm_input.js';

/** The wasm of `maskflow`. */
export const allChunks: WasmChunks = {
  simd: {
    file: 'maskflow-simd.wasm',
    difference: 'chunks/simd.js',
    load: () => import('./chunks/simd.js'),
  },
  relaxed: {
    file: 'maskflow-relaxed.wasm',
    load: () => import('./chunks/relaxed.js'),
  },
  threads: {
    difference: 'chunks/threads.js',
    load: () => import('./chunks/threads.js'),
  },
  simd_threads: {
    difference: 'chunks/simd_threads.js',
    load: () => import('./chunks/simd_threads.js'),
  },
};
