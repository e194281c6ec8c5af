// SPDX-License-Identifier: MIT
// Places that keep models, and the hub. This chunk is fetched at the first use of one of them.
import type { FetchFile, OpenFile, Opening } from '../open_file.js';
import { openHub } from './hub.js';
import { readPlaced } from './places.js';

export { fetchCached } from './fetch_cached.js';
export { writePlaced } from './places.js';
export { clearStoredModels, storedModels } from './stored_models.js';

/** Opens an address of a place or of the hub. The bytes are those of one file. */
export function openStored(
  address: string,
  opening: Opening,
  fetchFile: FetchFile,
): Promise<OpenFile | Uint8Array> {
  return address.startsWith('hf:')
    ? openHub(address, opening, fetchFile)
    : readPlaced(address, opening);
}
