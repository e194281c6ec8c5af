// SPDX-License-Identifier: MIT
// Files of one model in the cache must be of one version: as the server has them now, or as they
// were loaded together before.
import { FormatError } from '../../../base/errors.js';
import { crc32 } from '../../crc32.js';
import { encodeUtf8 } from '../../../engine/utf8.js';
import type { CachedFacts, CacheStore } from './cache_store.js';

/** Names a file in the facts of another one. */
const keyOf = (address: string): string => crc32(encodeUtf8(address)).toString(36);

/** How a file was opened. */
export type Origin =
  /** The server has the file that the cache has. */
  | 'unchanged'
  /** The server has another file than the cache, or the cache had none. */
  | 'new'
  /** The server does not answer, so the file is that of the cache. */
  | 'kept';

/** The files of one load. Its first file is the main one, which names the others. */
export class CachedSet {
  readonly #store: CacheStore;
  readonly #isSame: () => Promise<boolean>;
  #main: CachedFacts;
  /** Files beside the main one that belong to its version. */
  #files: { readonly [key: string]: number };
  #seen: { [key: string]: number } = {};
  #hasKept: boolean;
  #hasNew: boolean;

  /** `isSame` asks the server whether it still has the same main file. */
  constructor(
    store: CacheStore,
    main: CachedFacts,
    origin: Origin,
    isSame: () => Promise<boolean>,
  ) {
    this.#store = store;
    this.#main = main;
    this.#isSame = isSame;
    this.#hasKept = origin === 'kept';
    this.#hasNew = origin === 'new';
    this.#files = origin === 'new' ? {} : main.files;
  }

  /** Returns whether the cached file belongs to the version that is loaded. */
  has({ address, checksum }: CachedFacts): boolean {
    return this.#files[keyOf(address)] === checksum;
  }

  /** Returns whether the load has to go on without the server. */
  get isFromCache(): boolean {
    return this.#hasKept;
  }

  /** Adds a file. Throws FormatError if it is of another version than the files before it. */
  async add(facts: CachedFacts, origin: Origin): Promise<void> {
    const { address, checksum } = facts;
    if (origin === 'kept') {
      if (!this.has(facts)) throw this.#mixed(address, 'the server does not send it');
      this.#hasKept = true;
      return;
    }
    if (this.#hasKept) throw this.#mixed(address, 'the server did not answer before');
    if (origin === 'new' && !(await this.#isSame())) {
      throw this.#mixed(address, 'the server changed its files in between');
    }
    const isFirst = origin === 'new' && !this.#hasNew;
    this.#hasNew ||= origin === 'new';
    this.#seen[keyOf(address)] = checksum;
    if (!isFirst && this.has(facts)) return;
    // Files of the version before are no longer those of this one.
    this.#files = this.#hasNew ? { ...this.#seen } : { ...this.#files, ...this.#seen };
    await this.#keep();
  }

  /**
   * Stores the list of files with the main one. A file that is not in the list is fetched again.
   */
  async #keep(): Promise<void> {
    const { address, checksum } = this.#main;
    const main = await this.#store.read(address).catch(() => undefined);
    if (main?.facts.checksum !== checksum) return;
    const facts = { ...main.facts, files: this.#files };
    await this.#store.write({ facts, bytes: main.bytes }).catch(() => {});
  }

  #mixed(address: string, reason: string): FormatError {
    return new FormatError(
      `${address} may be of another version than ${this.#main.address}, because ${reason}; load the model again when the server answers`,
    );
  }
}
