// SPDX-License-Identifier: MIT
// Files of one model in the cache must be of one version: as the server has them now, or as they
// were loaded together before.
import { FormatError } from '../../../base/errors.js';
import { crc32 } from '../../crc32.js';
import { encodeUtf8 } from '../../../engine/utf8.js';
import type { CachedFacts, CacheStore, FileChecksums } from './cache_store.js';

/** Names a file in the facts of another one. */
const keyOf = (address: string): string => crc32(encodeUtf8(address)).toString(36);

/**
 * Time in ms after which no load that began before can still need a file. Another tab or process
 * may be half-way through the files of the version before.
 */
const kLongestLoad = 86_400_000;
/** Maximum number of files of earlier versions, for which the facts of a cached file have room. */
const kMaxOld = 1000;

const idsOf = (files: FileChecksums): string[] =>
  Object.entries(files).map(([key, checksum]) => `${key} ${checksum}`);

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
  #files: FileChecksums;
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
   * Removes files of earlier versions that no load can need any longer. Call it when the model is
   * loaded: all files of its version are in the cache then.
   */
  async complete(): Promise<void> {
    if (this.#hasKept) return;
    const old = [...this.#main.old].reverse();
    let count = 0;
    const expired = old.filter(({ since, files }) => {
      count += Object.keys(files).length;
      return count > kMaxOld || Date.now() - since > kLongestLoad;
    });
    if (expired.length === 0) return;
    // A file that cannot be removed now stays in the list, and the next load tries again.
    try {
      await this.#remove(new Set(expired.flatMap(({ files }) => idsOf(files))), expired);
      const left = this.#main.old.filter((each) => !expired.includes(each));
      this.#main = { ...this.#main, old: left };
      await this.#keep();
    } catch {}
  }

  /** Removes files unless another list of the cache has them, too. */
  async #remove(ids: Set<string>, expired: CachedFacts['old']): Promise<void> {
    const all = await this.#store.list();
    const isOurs = ({ address }: CachedFacts): boolean => address === this.#main.address;
    const lists = all.flatMap((facts) => {
      const old = (isOurs(facts) ? this.#main : facts).old.filter(
        (each) => !expired.includes(each),
      );
      return [facts.files, ...old.map(({ files }) => files)];
    });
    for (const files of [this.#files, ...lists]) for (const id of idsOf(files)) ids.delete(id);
    for (const { address, checksum } of all) {
      if (ids.has(`${keyOf(address)} ${checksum}`)) await this.#store.remove(address);
    }
  }

  /**
   * Stores the list of files with the main one. A file that is not in the list is fetched again.
   */
  async #keep(): Promise<void> {
    const { address, checksum } = this.#main;
    const main = await this.#store.read(address).catch(() => undefined);
    if (main?.facts.checksum !== checksum) return;
    const facts = { ...main.facts, files: this.#files, old: this.#main.old };
    await this.#store.write({ facts, bytes: main.bytes }).catch(() => {});
  }

  #mixed(address: string, reason: string): FormatError {
    return new FormatError(
      `${address} may be of another version than ${this.#main.address}, because ${reason}; load the model again when the server answers`,
    );
  }
}
