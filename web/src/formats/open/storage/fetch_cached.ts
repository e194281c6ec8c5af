// SPDX-License-Identifier: MIT
// The option `cache` of `loadModel`: HTTP revalidation in the package's own cache, which also works
// offline. fetch_file.ts calls it.
import { FormatError } from '../../../base/errors.js';
import { warn } from '../../../base/visible.js';
import { crc32 } from '../../crc32.js';
import { checkSize, type Download, type FetchedFile, type Opening } from '../open_file.js';
import { cachesHere } from './caches.js';
import {
  cacheName,
  type CachedFacts,
  type CachedFile,
  type CacheStore,
  isWhole,
  kUsualCache,
  noCache,
} from './cache_store.js';
import { CachedSet, type Origin } from './cached_set.js';
import { notStored } from './quota.js';

const isRequest = (source: string | URL | Request): source is Request =>
  typeof source === 'object' && 'method' in source;

/** The address of a source without its fragment, as the name in the cache. */
function addressOf(source: string | URL | Request): string {
  const { location } = globalThis as { location?: { href: string } };
  const url = new URL(isRequest(source) ? source.url : source, location?.href);
  url.hash = '';
  return url.href;
}

/** Returns the file if it is whole. A damaged one is removed. */
async function wholeFile(store: CacheStore, address: string): Promise<CachedFile | undefined> {
  const file = await store.read(address).catch(() => undefined);
  if (!file || isWhole(file)) return file;
  await store.remove(address).catch(() => {});
  return undefined;
}

/**
 * Returns headers that ask the server for the file only if it has changed. For another origin, a
 * browser would first ask that server whether it allows them.
 */
function conditions({ facts }: CachedFile): { [name: string]: string } {
  const { origin } = globalThis as { origin?: string };
  if (origin !== undefined && new URL(facts.address).origin !== origin) return {};
  return {
    ...(facts.etag && { 'if-none-match': facts.etag }),
    ...(facts.modified && { 'if-modified-since': facts.modified }),
  };
}

/** The mark of a weak ETag says nothing here: packed and plain bytes are the same file. */
const strong = (etag: string): string => etag.replace(/^W\//, '');

/** Returns whether the server has the same file. */
function isUnchanged({ facts }: CachedFile, { status, ok, headers }: Response): boolean {
  if (status === 304) return true;
  const etag = headers.get('etag');
  if (!ok) return false;
  if (etag && facts.etag) return strong(etag) === strong(facts.etag);
  return facts.modified !== '' && headers.get('last-modified') === facts.modified;
}

/** Returns whether the server cannot answer now, although the file may still be there. */
const isTrouble = ({ status }: Response): boolean =>
  status >= 500 || status === 408 || status === 429;

/** Uses a cached file: counts its bytes and reports them as progress. */
async function use(
  { facts: { address, url }, bytes }: CachedFile,
  { onProgress, ...opening }: Opening,
): Promise<FetchedFile> {
  const { length } = bytes;
  checkSize(length, address, opening);
  opening.budget.read(length, address);
  await onProgress?.({ loaded: length, total: length, file: address });
  return { address: url, bytes };
}

/** A file, and how it was opened. */
interface Opened {
  file: FetchedFile;
  facts: CachedFacts;
  origin: Origin;
  /** Whether the bytes are those of the server. */
  isFetched: boolean;
}

/**
 * Fetches a file unless the cache has the file that the server has. Without a connection, or if the
 * server has a problem, returns the cached file. A file that cannot be stored is a warning. Throws
 * FormatError if the file is of another version than other files of the same model.
 */
export async function fetchCached(
  source: string | URL | Request,
  opening: Opening,
  download: Download,
): Promise<FetchedFile> {
  const caches = cachesHere();
  if (!caches) throw noCache();
  const store = caches.open(cacheName(opening.cache) ?? kUsualCache);
  const { load } = opening;
  const set = load.cached as CachedSet | undefined;
  const { file, facts, origin, isFetched } = await openCached(store, source, opening, download);
  if (set) await set.add(facts, origin);
  else {
    const isSame = (): Promise<boolean> => stillHas({ facts, bytes: file.bytes }, download);
    load.cached = new CachedSet(store, facts, origin, isSame);
  }
  if (isFetched) await keep(store, facts, file.bytes);
  return file;
}

async function openCached(
  store: CacheStore,
  source: string | URL | Request,
  opening: Opening,
  download: Download,
): Promise<Opened> {
  const address = addressOf(source);
  const kept = await wholeFile(store, address);
  const fromCache = async (file: CachedFile, origin: Origin): Promise<Opened> => {
    return { file: await use(file, opening), facts: file.facts, origin, isFetched: false };
  };
  const set = opening.load.cached as CachedSet | undefined;
  if (kept && set?.isFromCache && set.has(kept.facts)) return fromCache(kept, 'kept');
  const answer = await download(kept && !isRequest(source) ? conditions(kept) : {}).catch(
    (error: unknown) => {
      if (kept && error instanceof FormatError) return undefined;
      throw error;
    },
  );
  if (!answer) return fromCache(kept as CachedFile, 'kept');
  const { response } = answer;
  const isSame = kept && isUnchanged(kept, response);
  if (kept && (isSame || isTrouble(response))) {
    response.body?.cancel().catch(() => {});
    return fromCache(kept, isSame ? 'unchanged' : 'kept');
  }
  const file = await answer.read();
  if (opening.maxBytes === undefined) opening.checkHead(file.bytes, file.address);
  const facts = factsOf(address, response, file, kept);
  const origin = kept?.facts.checksum === facts.checksum ? 'unchanged' : 'new';
  return { file, facts, origin, isFetched: true };
}

/** Asks the server whether it still has a file. */
async function stillHas(file: CachedFile, download: Download): Promise<boolean> {
  const { facts } = file;
  const answer = await download(conditions(file)).catch(() => undefined);
  if (!answer) return false;
  const { response } = answer;
  const hasMark = response.headers.get('etag') ?? response.headers.get('last-modified');
  if (isUnchanged(file, response) || !response.ok || hasMark) {
    response.body?.cancel().catch(() => {});
    return isUnchanged(file, response);
  }
  const { bytes } = await answer.read();
  return crc32(bytes) === facts.checksum;
}

/** Facts of a file. Those of the files beside it stay if it has the same bytes as before. */
function factsOf(
  address: string,
  { headers }: Response,
  { address: url, bytes }: FetchedFile,
  kept: CachedFile | undefined,
): CachedFacts {
  const checksum = crc32(bytes);
  const before = kept?.facts;
  const isSame = before?.checksum === checksum;
  const replaced =
    !before || isSame || Object.keys(before.files).length === 0
      ? []
      : [{ since: Date.now(), files: before.files }];
  return {
    address,
    url,
    bytes: bytes.length,
    checksum,
    etag: headers.get('etag') ?? '',
    modified: headers.get('last-modified') ?? '',
    saved: new Date(),
    files: isSame ? before.files : {},
    old: [...(before?.old ?? []), ...replaced],
  };
}

async function keep(store: CacheStore, facts: CachedFacts, bytes: Uint8Array): Promise<void> {
  try {
    await store.write({ facts, bytes });
  } catch (error) {
    const { message } = await notStored(`the file ${facts.address}`, bytes.length, error);
    warn(`${message}. The model is loaded without the cache`);
  }
}
