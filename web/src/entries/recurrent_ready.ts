// SPDX-License-Identifier: MIT
import { recurrentChunks } from '../engine/recurrent_chunks.gen.js';
import type { ModelSource } from '../base/model_source.js';
import type { LoadOptions } from '../model/load_options.js';
import { loadModelWith } from './load_model.js';
import type { Model } from '../model/model.js';
import type { Entry } from './start.js';
import type { ReadyOptions } from '../engine/runtime.js';
import { readyWith } from './start.js';
import { recurrentClasses } from '../layers/recurrent_classes.gen.js';
import { supplyClasses } from './supply_classes.js';

const recurrent: Entry = {
  layers: 'recurrent',
  chunks: recurrentChunks,
  supply: () => supplyClasses(recurrentClasses),
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

/**
 * Opens a model file with architecture and weights: `.keras`, the `.h5` of Keras 1 to 3, or `model.json` of TF.js with
 * its shards. What it is shows in its content, not in its name. Readers are fetched when they are needed; calls
 * `ready()` by itself.
 *
 * FormatError: it is something else, damaged, or its weights do not fit. ConfigError: it has classes or settings that
 * are not known, all of them listed. UnsupportedError: it needs what is not available here.
 *
 * A model with other layers than the recurrent ones needs `loadModel` of `maskflow`.
 *
 * @example const model = await loadModel('model.keras'); model.predict(ids);
 */
export function loadModel(source: ModelSource, options: LoadOptions = {}): Promise<Model> {
  return loadModelWith(ready, source, options);
}
