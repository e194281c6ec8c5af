// SPDX-License-Identifier: MIT
import type { Parts } from './parts.js';

/** The wasm with all layers. */
export const wasmChunks: Parts['chunks'] = {
  simd: { file: 'maskflow-simd.wasm', load: () => import('./chunks/simd.js') },
  relaxed: { file: 'maskflow-relaxed.wasm', load: () => import('./chunks/relaxed.js') },
};
