// SPDX-License-Identifier: MIT
// Lists and removes the files that the package stores in a browser.
import type { ClearOptions, StoredModel } from '../base/model_source.js';

/**
 * Lists the files that `loadModel` keeps in caches, and the models that `save` wrote to `opfs://`
 * and `indexeddb://`.
 *
 * @example for (const { address, bytes } of await storedModels()) console.log(address, bytes);
 */
export async function storedModels(): Promise<StoredModel[]> {
  return (await import('../formats/open/storage/storage.js')).storedModels();
}

/**
 * Removes files from the caches of `loadModel`: all, those of one cache, or one file. A model that
 * `save` wrote is removed only by its address. Returns the number of removed files.
 *
 * @example await clearStoredModels({ address: 'opfs://my-model' })
 */
export async function clearStoredModels(options: ClearOptions = {}): Promise<number> {
  return (await import('../formats/open/storage/storage.js')).clearStoredModels(options);
}
