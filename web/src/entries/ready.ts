// SPDX-License-Identifier: MIT
import { allLayers } from './all_layers.js';
import { StateError, UnsupportedError } from '../base/errors.js';
import type { ModelSource } from '../base/model_source.js';
import { lostFile, withoutImport } from '../base/import_failure.js';
import type { LoadOptions } from '../model/load_options.js';
import { loadModelWith } from './load_model.js';
import type { Model } from '../model/model.js';
import { workerPrediction } from '../model/services.js';
import type { Entry } from './start.js';
import type { ReadyOptions } from '../engine/runtime.js';
import { readyWith } from './start.js';
import { predictInWorkers } from './share_in_node.js';
import { allChunks } from '../engine/all_chunks.gen.js';

const all: Entry = {
  ...allLayers,
  chunks: allChunks,
  supply() {
    allLayers.supply();
    workerPrediction.supplied = predictInWorkers;
  },
};

/** Files that cannot be fetched. */
function advise(error: unknown): never {
  const lost = lostFile(error);
  if (lost) throw new StateError(lost);
  const absent = withoutImport(error);
  throw absent ? new UnsupportedError(absent) : error;
}

// Calls share a promise.
const known = new WeakMap<Promise<void>, Promise<void>>();

/** A start whose failures say what helps. */
export function advised(begun: Promise<void>): Promise<void> {
  const made = known.get(begun) ?? begun.catch(advise);
  known.set(begun, made);
  return made;
}

/**
 * Loads the wasm module. Call it as often as you like: it is loaded once, and a failed attempt can be
 * repeated. The options about masks may be changed by a later call; the variant may not (StateError).
 */
export function ready(options: ReadyOptions = {}): Promise<void> {
  return advised(readyWith(options, all));
}

/**
 * Opens a model file with architecture and weights: `.keras`, the `.h5` of Keras 1 to 3, or `model.json` of TF.js with
 * its shards. What it is shows in its content, not in its name. Readers are fetched when they are needed; calls
 * `ready()` by itself.
 *
 * FormatError: it is something else, damaged, or its weights do not fit. ConfigError: it has classes or settings that
 * are not known, all of them listed. UnsupportedError: it needs what is not available here.
 *
 * @example const model = await loadModel('model.keras'); model.predict(ids);
 */
export function loadModel(source: ModelSource, options: LoadOptions = {}): Promise<Model> {
  return loadModelWith(ready, source, options).catch(advise);
}
