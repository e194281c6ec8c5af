// SPDX-License-Identifier: MIT
// The first step of `loadModel`: it begins with all that takes time. The readers, most of the code,
// are a chunk that it fetches.
import { optionsOf } from '../base/check.js';
import type { ModelSource } from '../base/model_source.js';
import type { LoadOptions } from '../model/load_options.js';
import type { Model } from '../model/model.js';

/**
 * Begins to fetch a file beside the code that reads it, in pages and workers. Returns nothing for
 * sources that are not the address of a file on a server, or that may be in the cache.
 */
function fetchEarly(
  source: ModelSource,
  { cache, signal }: LoadOptions,
): Promise<Response> | undefined {
  const isPage = 'document' in globalThis || 'importScripts' in globalThis;
  const isAddress =
    source instanceof URL || (typeof source === 'string' && /^(https?:|[^:{[]*$)/.test(source));
  if (!isPage || !isAddress || cache || signal) return undefined;
  const response = (async () => fetch(source))();
  // It may fail before anything waits for it.
  response.catch(() => {});
  return response;
}

/**
 * `loadModel` of an entry, whose `ready` it calls: the wasm, the code that reads files and the file
 * are fetched side by side.
 */
export async function loadModelWith(
  ready: () => Promise<void>,
  source: ModelSource,
  options: LoadOptions,
): Promise<Model> {
  optionsOf(options);
  const response = fetchEarly(source, options);
  const reading = import('../formats/load.js');
  // A later turn: settings that a program passes to `ready` right after this call come first.
  const starting = Promise.resolve().then(ready);
  starting.catch(() => {});
  const { loadModelFrom } = await reading;
  return loadModelFrom({ starting, response }, source, options);
}
