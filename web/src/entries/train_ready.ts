// SPDX-License-Identifier: MIT
import { allTraining } from './all_training.js';
import type { ModelSource } from '../base/model_source.js';
import type { LoadOptions } from '../model/load_options.js';
import { loadModelWith } from './load_model.js';
import type { Model } from '../model/model.js';
import { workerPrediction } from '../model/services.js';
import type { Entry } from './start.js';
import type { ReadyOptions } from '../engine/runtime.js';
import { trainChunks } from '../engine/train_chunks.gen.js';
import { readyWith } from './start.js';
import { advised } from './ready.js';
import { predictInWorkers } from './share_in_node.js';

const training: Entry = {
  ...allTraining,
  supply() {
    allTraining.supply();
    workerPrediction.supplied = predictInWorkers;
  },
  chunks: trainChunks,
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
