// SPDX-License-Identifier: MIT
// Generated from scripts/build/entries.mjs; do not edit.

/**
 * The wasm of `maskflow/recurrent` as files, for pages where bytes count. `ready({ wasm })` fetches
 * the file of the variant that the engine runs. The script with the same content, which it
 * replaces, is a third larger. For bundlers that support `new URL('…', import.meta.url)`, and for
 * pages without a bundler.
 *
 * @module maskflow/recurrent/wasm
 */
import type { WasmVariants } from './engine/runtime.js';

/** Address of the file of each variant, for `ready({ wasm })`. */
export const wasm: WasmVariants = {
  simd: new URL('./maskflow-recurrent-simd.wasm', import.meta.url),
  relaxed: new URL('./maskflow-recurrent-relaxed.wasm', import.meta.url),
  threads: new URL('./maskflow-recurrent-threads.wasm', import.meta.url),
};
