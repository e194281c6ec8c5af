// SPDX-License-Identifier: MIT
// The functions `storedModels` and `clearStoredModels` of the package, over caches and places
// alike.
import { checkOptions, checkText } from '../../../base/check.js';
import type { ClearOptions, StoredModel } from '../../../base/model_source.js';
import { isPlace } from '../open_file.js';
import { cachesHere } from './caches.js';
import { cacheName } from './cache_store.js';
import { presentPlaces, removePlaced } from './places.js';

/** Lists what is stored. */
export async function storedModels(): Promise<StoredModel[]> {
  const root = cachesHere();
  const caches = (await root?.names()) ?? [];
  const cached = caches.map(async (cache) =>
    ((await root?.open(cache).list()) ?? []).map(
      ({ address, bytes, saved }): StoredModel => ({ address, cache, bytes, saved }),
    ),
  );
  const placed = presentPlaces().map(async (place) =>
    // A browser may refuse access, as Firefox does in private windows.
    (await place.list().catch(() => [])).map(
      ({ name, ...model }): StoredModel => ({
        address: place.scheme + name,
        cache: null,
        ...model,
      }),
    ),
  );
  const models = (await Promise.all([...cached, ...placed])).flat();
  return models.sort((a, b) => (a.address < b.address ? -1 : 1));
}

/** Removes cached files, or one stored model. Throws ValueError for another option. */
export async function clearStoredModels(options: ClearOptions): Promise<number> {
  const { cache, address } = checkOptions(options, { cache: 1, address: 1 });
  if (address !== undefined) checkText(address, 'address');
  if (address !== undefined && isPlace(address)) return Number(await removePlaced(address));
  const root = cachesHere();
  if (!root) return 0;
  const chosen = cacheName(cache);
  const names = (await root.names()).filter((name) => chosen === undefined || name === chosen);
  const counts = await Promise.all(
    names.map(async (name) => {
      const store = root.open(name);
      return address === undefined ? store.clear() : Number(await store.remove(address));
    }),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}
