// SPDX-License-Identifier: MIT
// `ready` and `loadModel` of maskflow.
import { advise, withAdvice } from './advice.js';
import { allLayers } from './all_layers.js';
import type { ModelSource } from '../base/model_source.js';
import type { LoadOptions } from '../model/load_options.js';
import { loadModelWith } from './load_model.js';
import type { Model } from '../model/model.js';
import type { Entry } from './start.js';
import type { ReadyOptions } from '../engine/runtime.js';
import { readyWith } from './start.js';
import { allChunks } from '../engine/all_chunks.gen.js';

const all: Entry = { ...allLayers, chunks: allChunks };

/**
 * Loads the wasm module. It is loaded once, so you may call this often; after a failure, call it
 * again. A later call may change settings; it throws StateError for another variant.
 */
export function ready(options: ReadyOptions = {}): Promise<void> {
  return withAdvice(readyWith(options, all));
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
 * @example const model = await loadModel('model.keras'); model.predict(ids);
 */
export function loadModel(source: ModelSource, options: LoadOptions = {}): Promise<Model> {
  return loadModelWith(ready, source, options).catch(advise);
}
