// SPDX-License-Identifier: MIT
import { StateError } from '../base/errors.js';
import type { ReadyOptions } from '../engine/runtime.js';
import type { Connection } from './connection.js';
import type { WireSource } from './messages.js';
import { isCrash, TimeLimitError } from './failures.js';
import { connect, type WorkerLoadOptions, type WorkerOptions } from './open_worker.js';
import { loadRemote, type RemoteModel } from './remote_model.js';

interface Loaded {
  source: WireSource;
  options: WorkerLoadOptions;
  model: Promise<RemoteModel>;
  /** Could it not be had back after a crash? Then the next call tries again. */
  missing?: boolean;
}

/** One worker of a pool with its models, and how to get both back after a crash. */
export class PoolMember {
  readonly #settings: ReadyOptions;
  readonly #options: WorkerOptions;
  readonly #models = new Map<object, Loaded>();
  #connection: Promise<Connection>;
  #closed = false;
  /** Could no worker be had in place of the one that broke? Then the next call tries again. */
  #down = false;

  private constructor(settings: ReadyOptions, { signal, ...options }: WorkerOptions) {
    this.#settings = settings;
    this.#options = options;
    // The signal is for this one: later ones replace a worker that broke.
    this.#connection = this.#connect(signal);
  }

  static async open(settings: ReadyOptions, options: WorkerOptions): Promise<PoolMember> {
    const member = new PoolMember(settings, options);
    await member.#connection;
    return member;
  }

  async #connect(signal?: AbortSignal): Promise<Connection> {
    const options = signal ? { ...this.#options, signal } : this.#options;
    const { connection } = await connect(this.#settings, options);
    if (this.#closed) connection.close();
    return connection;
  }

  async load(key: object, source: WireSource, options: WorkerLoadOptions): Promise<void> {
    const { signal: _, onProgress: __, ...again } = options;
    const loaded: Loaded = { source, options: again, model: this.#load(source, options) };
    this.#models.set(key, loaded);
    await loaded.model.catch((error: unknown) => {
      // Once more would take as long. The worker's other models need another worker.
      if (error instanceof TimeLimitError) {
        this.#models.delete(key);
        this.replace();
      }
      if (!isCrash(error)) throw error;
      // It may have broken down long ago, without being asked anything.
      this.replace();
      return loaded.model;
    });
  }

  async #load(source: WireSource, options: WorkerLoadOptions): Promise<RemoteModel> {
    return loadRemote(await this.#connection, source, options);
  }

  model(key: object): Promise<RemoteModel> {
    const loaded = this.#models.get(key);
    if (this.#down) this.replace();
    else if (loaded?.missing) this.#again(loaded);
    if (loaded) return loaded.model;
    return Promise.reject(new StateError('this model was disposed of; load it again'));
  }

  /** A worker that starts afresh, with the same models, in place of one that broke. */
  replace(): void {
    const broken = this.#connection;
    broken.then((connection) => connection.close()).catch(() => {});
    this.#down = false;
    this.#connection = this.#connect();
    this.#connection.catch(() => {
      this.#down = true;
    });
    for (const loaded of this.#models.values()) this.#again(loaded);
  }

  #again(loaded: Loaded): void {
    loaded.missing = false;
    loaded.model = this.#load(loaded.source, loaded.options);
    // Whoever needs it is told.
    loaded.model.catch((error) => {
      loaded.missing = !isCrash(error);
    });
  }

  forget(key: object): void {
    const model = this.#models.get(key)?.model;
    model?.then((loaded) => loaded.dispose()).catch(() => {});
    this.#models.delete(key);
  }

  close(): void {
    this.#closed = true;
    this.#connection.then((connection) => connection.close()).catch(() => {});
  }
}
