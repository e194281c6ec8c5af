// SPDX-License-Identifier: MIT
// Checks the options of `loadModel` before it fetches the readers, which are most of the code.
import { optionsOf } from '../base/check.js';
import type { ModelSource } from '../base/model_source.js';
import type { LoadOptions } from '../model/load_options.js';
import type { Model } from '../model/model.js';

/** `loadModel` of an entry, whose `ready` it calls. */
export async function loadModelWith(
  ready: () => Promise<void>,
  source: ModelSource,
  options: LoadOptions,
): Promise<Model> {
  optionsOf(options);
  const { loadModelFrom } = await import('../formats/load.js');
  return loadModelFrom(ready, source, options);
}
