// SPDX-License-Identifier: MIT
// Files that `loadModel(…, { cache })` keeps, and their names.
import { ConfigError, StateError, ValueError } from '../../../base/errors.js';
import { show } from '../../../base/check.js';
import { crc32 } from '../../crc32.js';

/** Facts about a cached file. */
export interface CachedFacts {
  readonly address: string;
  /** Address after redirects, to which the paths of other files are relative. */
  readonly url: string;
  /** Number of bytes. */
  readonly bytes: number;
  /** CRC-32 of the bytes. */
  readonly checksum: number;
  /** Header ETag of the server; empty without one. */
  readonly etag: string;
  /** Header Last-Modified of the server; empty without one. */
  readonly modified: string;
  readonly saved: Date;
  /** Checksums of the files that were loaded with this one, by a short name. */
  readonly files: FileChecksums;
  /** Such files of earlier versions, which are in the cache until no load can need them. */
  readonly old: readonly OldFiles[];
}

/** Checksums of files by a short name. */
export interface FileChecksums {
  readonly [key: string]: number;
}

/** Files of a version that was replaced. */
export interface OldFiles {
  /** Time in ms at which it was replaced. */
  readonly since: number;
  readonly files: FileChecksums;
}

export interface CachedFile {
  readonly facts: CachedFacts;
  readonly bytes: Uint8Array;
}

/** A cache of files by address. */
export interface CacheStore {
  /** Returns what is stored, which may be damaged; undefined without such a file. */
  read(address: string): Promise<CachedFile | undefined>;
  write(file: CachedFile): Promise<void>;
  list(): Promise<CachedFacts[]>;
  /** Returns whether there was such a file. */
  remove(address: string): Promise<boolean>;
  /** Removes all files, damaged ones too. Returns the number of files. */
  clear(): Promise<number>;
}

/** All caches of this engine. */
export interface CacheRoot {
  open(name: string): CacheStore;
  names(): Promise<string[]>;
}

/** Name of the cache of `cache: true`. */
export const kUsualCache = 'models';

/** Returns the name of a cache; undefined for false. Throws ConfigError for another value. */
export function cacheName(cache: unknown): string | undefined {
  if (cache === undefined || cache === false) return undefined;
  if (cache === true) return kUsualCache;
  if (typeof cache === 'string' && /^[A-Za-z0-9_-][\w.-]{0,63}$/.test(cache)) return cache;
  throw new ConfigError(
    `cache is ${show(cache)} but must be true, false, or a name of up to 64 letters, digits and _ - .`,
  );
}

/** Returns whether the bytes are those that were stored. */
export const isWhole = ({ facts, bytes }: CachedFile): boolean =>
  bytes.length === facts.bytes && crc32(bytes) === facts.checksum;

function filesFrom(data: unknown): FileChecksums {
  const entries = Object.entries(Object(data) as object).map(
    ([key, checksum]) => [key, Number(checksum)] as const,
  );
  return Object.fromEntries(entries);
}

const oldFrom = (data: unknown): OldFiles[] =>
  (Array.isArray(data) ? data : []).map((each: unknown) => {
    const { since, files } = Object(each) as { [key: string]: unknown };
    return { since: Number(since), files: filesFrom(files) };
  });

/** Returns facts from plain data. Throws ValueError if one is missing. */
export function factsFrom(data: unknown): CachedFacts {
  const { address, url, bytes, checksum, etag, modified, saved, files, old } = Object(data) as {
    [key: string]: unknown;
  };
  const date = new Date(String(saved));
  const numbers = [Number(bytes), Number(checksum)] as const;
  const isPlain = typeof address === 'string' && numbers.every((n) => Number.isInteger(n));
  if (!isPlain || Number.isNaN(date.getTime())) throw new ValueError('not facts of a cached file');
  return {
    address,
    url: String(url ?? address),
    bytes: numbers[0],
    checksum: numbers[1],
    etag: String(etag ?? ''),
    modified: String(modified ?? ''),
    saved: date,
    files: filesFrom(files),
    old: oldFrom(old),
  };
}

/** The error for an engine without a cache. */
export const noCache = (): StateError =>
  new StateError(
    "there is no cache here: a page needs https: or localhost; in Node, set MASKFLOW_CACHE to a folder. Leave out the option 'cache'",
  );
