// SPDX-License-Identifier: MIT
import type { Parts } from './parts.js';

/** The wasm with all layers. */
export const wasmChunks: Parts['chunks'] = {
  simd: () => import('./chunks/simd.js'),
  relaxed: () => import('./chunks/relaxed.js'),
};
