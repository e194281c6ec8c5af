// SPDX-License-Identifier: MIT
import { evaluate } from './evaluate.js';
import type { Parts } from './parts.js';
import { type ReadyOptions, readyWith } from './runtime.js';
import { wrapMoreLayers } from './more_wrap.gen.js';
import { wrapRecurrentLayers } from './recurrent_wrap.gen.js';

const all: Parts = {
  layers: 'all',
  chunks: {
    simd: () => import('./chunks/simd.js'),
    relaxed: () => import('./chunks/relaxed.js'),
  },
  wrapLayers() {
    wrapRecurrentLayers();
    wrapMoreLayers();
  },
  absentNote: '',
  evaluate,
};

/**
 * Loads the wasm module. Call it as often as you like: it is loaded once, and a failed attempt can be
 * repeated. The options about masks may be changed by a later call; the variant may not (StateError).
 */
export function ready(options: ReadyOptions = {}): Promise<void> {
  return readyWith(options, all);
}
