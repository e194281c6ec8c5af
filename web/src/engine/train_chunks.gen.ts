// SPDX-License-Identifier: MIT
// Generated from scripts/build/entries.mjs; do not edit.

import type { WasmChunks } from './runtime.js';

/** The wasm of `maskflow/train`. */
export const trainChunks: WasmChunks = {
  simd: {
    file: '',
    difference: 'chunks/train-simd.js',
    load: () => import('./chunks/train-simd.js'),
  },
  relaxed: {
    file: 'maskflow-train-relaxed.wasm',
    load: () => import('./chunks/train-relaxed.js'),
  },
  threads: {
    file: '',
    difference: 'chunks/train-threads.js',
    load: () => import('./chunks/train-threads.js'),
  },
};
