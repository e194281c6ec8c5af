// SPDX-License-Identifier: MIT
import { evaluate } from './evaluate.js';
import { wrapMoreLayers } from './more_wrap.gen.js';
import type { Parts } from './parts.js';
import { wrapRecurrentLayers } from './recurrent_wrap.gen.js';
import { streamOf } from './stream.js';

/** What stands on the module with all layers, wherever its wasm comes from. */
export const allLayers: Omit<Parts, 'chunks'> = {
  layers: 'all',
  wrapLayers() {
    wrapRecurrentLayers();
    wrapMoreLayers();
  },
  absentNote: '',
  evaluate,
  stream: streamOf,
};
