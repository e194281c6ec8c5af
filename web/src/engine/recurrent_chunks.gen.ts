// SPDX-License-Identifier: MIT
// Generated from scripts/build/entries.mjs; do not edit.

import type { WasmChunks } from './wasm_input.js';

/** The wasm of `maskflow/recurrent`. */
export const recurrentChunks: WasmChunks = {
  simd: {
    difference: 'chunks/recurrent-simd.js',
    load: () => import('./chunks/recurrent-simd.js'),
  },
  relaxed: {
    file: 'maskflow-recurrent-relaxed.wasm',
    load: () => import('./chunks/recurrent-relaxed.js'),
  },
  threads: {
    difference: 'chunks/recurrent-threads.js',
    load: () => import('./chunks/recurrent-threads.js'),
  },
  simd_threads: {
    difference: 'chunks/recurrent-simd_threads.js',
    load: () => import('./chunks/recurrent-simd_threads.js'),
  },
};
