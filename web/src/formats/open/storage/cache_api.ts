// SPDX-License-Identifier: MIT
// The cache of pages, workers and Deno: the Cache API.
import { type CacheRoot, type CacheStore, type CachedFacts, factsFrom } from './cache_store.js';

const kPrefix = 'maskflow-';
const kFacts = 'x-maskflow-facts';

function factsOf(response: Response): CachedFacts | undefined {
  try {
    return factsFrom(JSON.parse(decodeURIComponent(response.headers.get(kFacts) ?? '')));
  } catch {
    return undefined;
  }
}

function openCache(storage: CacheStorage, name: string): CacheStore {
  const open = (): Promise<Cache> => storage.open(kPrefix + name);
  return {
    async read(address) {
      const response = await (await open()).match(address, { ignoreVary: true });
      const facts = response && factsOf(response);
      if (!facts) return undefined;
      return { facts, bytes: new Uint8Array(await response.arrayBuffer()) };
    },
    async write({ facts, bytes }) {
      const headers = { [kFacts]: encodeURIComponent(JSON.stringify(facts)) };
      await (await open()).put(
        facts.address,
        new Response(bytes as Uint8Array<ArrayBuffer>, { headers }),
      );
    },
    async list() {
      const cache = await open();
      const responses = await Promise.all((await cache.keys()).map((key) => cache.match(key)));
      return responses.flatMap((response) => (response && factsOf(response)) ?? []);
    },
    async clear() {
      const count = (await (await open()).keys()).length;
      await storage.delete(kPrefix + name);
      return count;
    },
    remove: async (address) => (await open()).delete(address, { ignoreVary: true }),
  };
}

/** The Cache API of this engine; undefined where there is none, as on pages without https. */
export function browserCaches(): CacheRoot | undefined {
  const { caches } = globalThis as { caches?: CacheStorage };
  if (!caches) return undefined;
  return {
    open: (name) => openCache(caches, name),
    async names() {
      const names = await caches.keys();
      return names
        .filter((name) => name.startsWith(kPrefix))
        .map((name) => name.slice(kPrefix.length));
    },
  };
}
