// SPDX-License-Identifier: MIT
import type { Parts } from './parts.js';
import { type ReadyOptions, readyWith } from './runtime.js';
import { wrapLayers } from './wrap_recurrent.gen.js';

const recurrent: Parts = {
  layers: 'recurrent',
  chunks: {
    simd: () => import('./chunks/recurrent-simd.js'),
    relaxed: () => import('./chunks/recurrent-relaxed.js'),
  },
  wrapLayers,
  absentNote: "; 'maskflow/recurrent' has these alone: import from 'maskflow' for the other layers",
};

/**
 * Loads the wasm module with the recurrent layers alone. Where `ready` of `maskflow` was called before, all layers are
 * there already and nothing is loaded. Otherwise like that one.
 */
export function ready(options: ReadyOptions = {}): Promise<void> {
  return readyWith(options, recurrent);
}
