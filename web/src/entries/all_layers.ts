// SPDX-License-Identifier: MIT
import { evaluate } from '../training/evaluate.js';
import { wrapMoreLayers } from '../layers/more_wrap.gen.js';
import type { Entry } from './start.js';
import { wrapRecurrentLayers } from '../layers/recurrent_wrap.gen.js';
import { streamOf } from '../model/stream.js';

/** What stands on the module with all layers, wherever its wasm comes from. */
export const allLayers: Omit<Entry, 'chunks'> = {
  layers: 'all',
  wrapLayers() {
    wrapRecurrentLayers();
    wrapMoreLayers();
  },
  absentNote: '',
  services: { evaluate, stream: streamOf },
};
