// SPDX-License-Identifier: MIT
import { output } from './process.mjs';

/** Node 20 wants relaxed SIMD switched on; later ones refuse the option. */
export function relaxedFlag(node) {
  const flag = '--experimental-wasm-relaxed-simd';
  return output(node, ['--v8-options'])?.includes(flag.slice(2)) ? [flag] : [];
}
