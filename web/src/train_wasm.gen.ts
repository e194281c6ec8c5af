// SPDX-License-Identifier: MIT
// Generated from scripts/build/entries.mjs; do not edit.

/**
 * The wasm of `maskflow/train` as files, for pages where bytes count. `ready({ wasm })` fetches
 * the file of the variant that the engine runs, or computes that variant from the file of
 * `relaxed` and a small script. The script with the same content, which the file replaces, is a
 * third larger. For bundlers that support `new URL('…', import.meta.url)`, and for pages without
 * a bundler.
 *
 * @module maskflow/train/wasm
 */
import type { WasmVariants } from './engine/runtime.js';

/** Addresses of the files, for `ready({ wasm })`. */
export const wasm: Pick<Required<WasmVariants>, 'relaxed'> = {
  relaxed: new URL('./maskflow-train-relaxed.wasm', import.meta.url),
};
