// SPDX-License-Identifier: MIT
// `ready` and `loadModel` of maskflow/train.
import { allTraining } from './all_training.js';
import type { ModelSource } from '../base/model_source.js';
import type { LoadOptions } from '../model/load_options.js';
import { loadModelWith } from './load_model.js';
import type { Model } from '../model/model.js';
import type { Entry } from './start.js';
import type { ReadyOptions } from '../engine/runtime.js';
import { trainChunks } from '../engine/train_chunks.gen.js';
import { readyWith } from './start.js';
import { withAdvice } from './advice.js';

const training: Entry = { ...allTraining, chunks: trainChunks };

/**
 * Loads the wasm module with all layers and with training, otherwise like `ready` of `maskflow`.
 * Call it before `ready` of another entry, because a running module is not replaced.
 */
export function ready(options: ReadyOptions = {}): Promise<void> {
  return withAdvice(readyWith(options, training));
}

/**
 * Loads a model file, like `loadModel` of `maskflow`. The model can be trained. If it was saved
 * compiled, it is compiled again, and its optimizer continues where it was; `{ compile: false }`
 * skips that. ConfigError also for an unknown loss, metric or optimizer.
 */
export function loadModel(source: ModelSource, options: LoadOptions = {}): Promise<Model> {
  return loadModelWith(ready, source, options);
}
