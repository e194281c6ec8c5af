// SPDX-License-Identifier: MIT
// Generated from scripts/build/entries.mjs; do not edit.

import type { WasmChunks } from './runtime.js';

/** The wasm of `maskflow/recurrent`. */
export const recurrentChunks: WasmChunks = {
  simd: {
    file: '',
    difference: 'chunks/recurrent-simd.js',
    load: () => import('./chunks/recurrent-simd.js'),
  },
  relaxed: {
    file: 'maskflow-recurrent-relaxed.wasm',
    load: () => import('./chunks/recurrent-relaxed.js'),
  },
  threads: {
    file: '',
    difference: 'chunks/recurrent-threads.js',
    load: () => import('./chunks/recurrent-threads.js'),
  },
};
