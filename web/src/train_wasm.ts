// SPDX-License-Identifier: MIT
/**
 * The wasm of `maskflow/train` as files, for pages where bytes count: `ready({ wasm })` fetches the one that the engine runs, in place of a script
 * with the same inside, which is a third larger. For bundlers that know `new URL('…', import.meta.url)`, and for pages without one.
 *
 * @module maskflow/train/wasm
 */
import type { WasmVariants } from './engine/runtime.js';

export const wasm: WasmVariants = {
  simd: new URL('./maskflow-train-simd.wasm', import.meta.url),
  relaxed: new URL('./maskflow-train-relaxed.wasm', import.meta.url),
};
