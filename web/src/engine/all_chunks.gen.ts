// SPDX-License-Identifier: MIT
// Generated from scripts/build/entries.mjs; do not edit.

import type { WasmChunks } from './runtime.js';

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
    file: '',
    difference: 'chunks/threads.js',
    load: () => import('./chunks/threads.js'),
  },
};
