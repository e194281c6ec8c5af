// SPDX-License-Identifier: MIT
// The choice between cache_folder.ts and cache_api.ts, both of which this chunk contains.
import { browserCaches } from './cache_api.js';
import { nodeCaches } from './cache_folder.js';
import type { CacheRoot } from './cache_store.js';

/** All caches of this engine: a folder where there is a file system, else the Cache API. */
export const cachesHere = (): CacheRoot | undefined => nodeCaches() ?? browserCaches();
