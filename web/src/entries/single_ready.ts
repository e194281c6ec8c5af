// SPDX-License-Identifier: MIT
// `ready` and `loadModel` of maskflow/single and of the classic script, which contain the wasm and
// fetch nothing.
import { allLayers } from './all_layers.js';
import { UnsupportedError } from '../base/errors.js';
import type { ModelSource } from '../base/model_source.js';
import type { LoadOptions } from '../model/load_options.js';
import { loadModelWith } from './load_model.js';
import type { Model } from '../model/model.js';
import { workerPrediction } from '../model/services.js';
import type { Entry } from './start.js';
import type { ReadyOptions } from '../engine/runtime.js';
import { readyWith } from './start.js';

const absent = {
  load: async (): Promise<never> => {
    throw new UnsupportedError(
      "this script has only the variant 'simd'; import maskflow as a module, or pass the wasm: ready({ wasm })",
    );
  },
};
const entry: Entry = {
  ...allLayers,
  chunks: {
    simd: { load: () => import('./chunks/simd.js') },
    relaxed: absent,
    threads: absent,
  },
  supply() {
    allLayers.supply();
    workerPrediction.supplied = async () => {
      throw new UnsupportedError(
        "predict with 'workers' is not in this script; import maskflow as a module",
      );
    };
  },
};

/**
 * Chooses the variant of this script unless options choose another; readyWith refuses other values.
 */
function withVariant(options: ReadyOptions): ReadyOptions {
  if (!options || Object.getPrototypeOf(options) !== Object.prototype || options.wasm)
    return options;
  return (options.variant ?? 'auto') === 'auto' ? { ...options, variant: 'simd' } : options;
}

/** `ready` of `maskflow`, with the wasm of this script. */
export function ready(options: ReadyOptions = {}): Promise<void> {
  return readyWith(withVariant(options), entry);
}

/** Adds that this file has no text, because `maskflow/text` would belong to another copy. */
function advise(error: unknown): never {
  if (error instanceof UnsupportedError && error.code === 'ERR_NEEDS_TEXT') {
    error.message += ", and 'maskflow' in place of this one file, which has no text";
  }
  throw error;
}

/** `loadModel` of `maskflow`. */
export function loadModel(source: ModelSource, options: LoadOptions = {}): Promise<Model> {
  if (typeof TextDecoder === 'undefined' || typeof performance === 'undefined') {
    const why =
      'a worklet cannot decode files; load the model outside, and pass JSON.stringify(model) and the data() of each of model.getWeights() to it, for Model.fromConfig() and setWeights()';
    return Promise.reject(new UnsupportedError(why));
  }
  return loadModelWith(ready, source, options).catch(advise);
}
