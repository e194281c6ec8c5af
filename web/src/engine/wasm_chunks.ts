// SPDX-License-Identifier: MIT
import type { WasmChunks } from './runtime.js';

/** The wasm with all layers. */
export const wasmChunks: WasmChunks = {
  simd: { file: 'maskflow-simd.wasm', load: () => import('./chunks/simd.js') },
  relaxed: { file: 'maskflow-relaxed.wasm', load: () => import('./chunks/relaxed.js') },
};
