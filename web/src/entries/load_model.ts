// SPDX-License-Identifier: MIT
// The first step of `loadModel`: it begins with all that takes time. The readers, most of the code,
// are a chunk that it fetches.
import { checkOptions } from '../base/check.js';
import { type ModelSource, sourceOptions } from '../base/model_source.js';
import { kStored } from '../formats/open/open_file.js';
import type { LoadOptions } from '../model/load_options.js';
import type { Model } from '../model/model.js';

/**
 * Begins to fetch a file beside the code that reads it, in pages and workers. Returns nothing for
 * sources that are not the address of a file on a server, or that may be in the cache.
 */
function fetchEarly(
  source: ModelSource,
  { cache, signal }: LoadOptions,
  abort: AbortController,
): Promise<Response> | undefined {
  const isPage = 'document' in globalThis || 'importScripts' in globalThis;
  const isAddress =
    source instanceof URL || (typeof source === 'string' && /^(https?:|[^:{[]*$)/.test(source));
  if (!isPage || !isAddress || cache || signal) return undefined;
  const response = (async () => fetch(source, { signal: abort.signal }))();
  // It may fail before anything waits for it.
  response.catch(() => {});
  return response;
}

/**
 * Begins to fetch the code of older formats and of stored models, if the name of the source or the
 * options ask for it. The reader needs it later, and reports what could not be fetched.
 */
function fetchFurtherCode(source: ModelSource, { cache }: LoadOptions): void {
  const name = typeof source === 'string' || source instanceof URL ? String(source) : '';
  if (/\.(json|h5|hdf5)([?#]|$)/i.test(name)) import('../formats/read/tfjs.js').catch(() => {});
  if (cache || kStored.test(name)) import('../formats/open/storage/storage.js').catch(() => {});
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
  checkOptions(options, {
    weights: 1,
    customObjects: 1,
    maskPropagation: 1,
    hardSigmoid: 1,
    quantize: 1,
    compile: 1,
    ...sourceOptions,
  });
  const abort = new AbortController();
  const response = fetchEarly(source, options, abort);
  const reading = import('../formats/load.js');
  fetchFurtherCode(source, options);
  // A later turn: settings that a program passes to `ready` right after this call come first.
  const starting = Promise.resolve().then(ready);
  starting.catch(() => {});
  try {
    const { loadModelFrom } = await reading;
    return await loadModelFrom({ starting, response }, source, options);
  } catch (error) {
    // Values of options are checked after the request has begun; then nothing reads its answer.
    abort.abort();
    throw error;
  }
}
