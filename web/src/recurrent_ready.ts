// SPDX-License-Identifier: MIT
import type { Parts } from './parts.js';
import { type ReadyOptions, readyWith } from './runtime.js';
import { wrapRecurrentLayers } from './recurrent_wrap.gen.js';

const recurrent: Parts = {
  layers: 'recurrent',
  chunks: {
    simd: () => import('./chunks/recurrent-simd.js'),
    relaxed: () => import('./chunks/recurrent-relaxed.js'),
  },
  wrapLayers: wrapRecurrentLayers,
  absentNote:
    "; 'maskflow/recurrent' has recurrent layers and no Einsum: for all of them import from 'maskflow'",
};

/**
 * Loads the wasm module with the recurrent layers alone. Where `ready` of `maskflow` was called before, all layers are
 * there already and nothing is loaded. Otherwise like that one.
 */
export function ready(options: ReadyOptions = {}): Promise<void> {
  return readyWith(options, recurrent);
}
