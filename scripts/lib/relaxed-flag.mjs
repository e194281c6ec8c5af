// SPDX-License-Identifier: MIT
// Lets the variant `relaxed` run under Node 20, in tests and benchmarks.
import { output } from './process.mjs';

/** Returns the flag for relaxed SIMD: Node 20 needs it, and later versions refuse it. */
export function relaxedFlag(node) {
  const flag = '--experimental-wasm-relaxed-simd';
  return output(node, ['--v8-options'])?.includes(flag.slice(2)) ? [flag] : [];
}
