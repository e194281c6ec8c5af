// SPDX-License-Identifier: MIT
// `ready` and `loadModel` of maskflow/recurrent.
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
    "; 'maskflow/recurrent' has only recurrent layers, and no Einsum: for all layers import from 'maskflow'",
};

/**
 * Loads the wasm module with the recurrent layers only, otherwise like `ready` of `maskflow`. If
 * that was called before, its module has all layers, and nothing is loaded.
 */
export function ready(options: ReadyOptions = {}): Promise<void> {
  return readyWith(options, recurrent);
}

/**
 * Loads a model file with architecture and weights: `.keras`, the `.h5` of Keras 1 to 3, or
 * TensorFlow.js's `model.json` with its shards. The format is detected from the content, not from
 * the name. The code that reads it is fetched on demand. Calls `ready()` if necessary.
 *
 * Throws FormatError if the file has another format, is damaged, or its weights do not fit the
 * model. Throws ConfigError, which lists all of them, if classes or settings are unknown. Throws
 * UnsupportedError if the model needs something that is not available here.
 *
 * Models with other layers than the recurrent ones need `loadModel` of `maskflow`.
 *
 * @example const model = await loadModel('model.keras'); model.predict(ids);
 */
export function loadModel(source: ModelSource, options: LoadOptions = {}): Promise<Model> {
  return loadModelWith(ready, source, options);
}
