// SPDX-License-Identifier: MIT
import { allLayers } from './all_layers.js';
import type { ModelSource } from '../base/model_source.js';
import type { LoadOptions } from '../model/load_options.js';
import { loadModelWith } from './load_model.js';
import type { Model } from '../model/model.js';
import type { Entry } from './start.js';
import type { ReadyOptions } from '../engine/runtime.js';
import { readyWith } from './start.js';
import { advised } from './ready.js';
import { trainingServices } from '../training/train.js';
import { giveVariables } from '../training/variables.js';
import { predictInWorkers } from './share_in_node.js';

const training: Entry = {
  ...allLayers,
  layers: 'train',
  chunks: {
    simd: { file: 'maskflow-train-simd.wasm', load: () => import('./chunks/train-simd.js') },
    relaxed: {
      file: 'maskflow-train-relaxed.wasm',
      load: () => import('./chunks/train-relaxed.js'),
    },
  },
  wrapLayers() {
    allLayers.wrapLayers();
    giveVariables();
  },
  services: {
    ...allLayers.services,
    ...trainingServices,
    trainingFiles: {
      async writer(model) {
        if (!('compiled' in model)) return null;
        const { storedTraining } = await import('../formats/training/write.js');
        return () => storedTraining(model);
      },
      async read(model, file) {
        const { readTraining } = await import('../formats/training/read.js');
        readTraining(model, file);
      },
    },
    workers: predictInWorkers,
  },
};

/**
 * Loads the wasm module with all layers and all that trains. Call it before `ready` of another entry: what runs stays.
 * Otherwise like that of `maskflow`.
 */
export function ready(options: ReadyOptions = {}): Promise<void> {
  return advised(readyWith(options, training));
}

/**
 * Opens a model file, like `loadModel` of `maskflow`; the model can be trained. One that was saved compiled is compiled again, and its
 * optimizer goes on where it was: `{ compile: false }` leaves that out. ConfigError for a loss, metric or optimizer that is not known.
 */
export function loadModel(source: ModelSource, options: LoadOptions = {}): Promise<Model> {
  return loadModelWith(ready, source, options);
}
