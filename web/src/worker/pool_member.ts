// SPDX-License-Identifier: MIT
// A worker of a pool that outlives crashes: it remembers its settings and models, and starts again.
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
  /** Whether it could not be loaded again after a crash. The next call tries again. */
  isMissing?: boolean;
}

/** One worker of a pool with its models. Both can be restored after a crash. */
export class PoolMember {
  readonly #settings: ReadyOptions;
  readonly #options: WorkerOptions;
  readonly #models = new Map<object, Loaded>();
  #connection: Promise<Connection>;
  #closed = false;
  /** Whether the worker could not be replaced after a crash. The next call tries again. */
  #isDown = false;

  private constructor(settings: ReadyOptions, { signal, ...options }: WorkerOptions) {
    this.#settings = settings;
    this.#options = options;
    // The signal ends only this start, not that of a replacement.
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
    const { signal: _, onProgress: __, ...kept } = options;
    const loaded: Loaded = { source, options: kept, model: this.#load(source, options) };
    this.#models.set(key, loaded);
    await loaded.model.catch((error: unknown) => {
      // Another attempt would take as long. The other models need a new worker.
      if (error instanceof TimeLimitError) {
        this.#models.delete(key);
        this.replace();
      }
      if (!isCrash(error)) throw error;
      // The worker may have crashed before this request.
      this.replace();
      return loaded.model;
    });
  }

  async #load(source: WireSource, options: WorkerLoadOptions): Promise<RemoteModel> {
    return loadRemote(await this.#connection, source, options);
  }

  model(key: object): Promise<RemoteModel> {
    const loaded = this.#models.get(key);
    if (this.#isDown) this.replace();
    else if (loaded?.isMissing) this.#reload(loaded);
    if (loaded) return loaded.model;
    return Promise.reject(
      new StateError('this model was disposed of; load it again', 'ERR_DISPOSED'),
    );
  }

  /** Replaces a worker that crashed by a new one with the same models. */
  replace(): void {
    const previous = this.#connection;
    previous.then((connection) => connection.close()).catch(() => {});
    this.#isDown = false;
    this.#connection = this.#connect();
    this.#connection.catch(() => {
      this.#isDown = true;
    });
    for (const loaded of this.#models.values()) this.#reload(loaded);
  }

  #reload(loaded: Loaded): void {
    loaded.isMissing = false;
    loaded.model = this.#load(loaded.source, loaded.options);
    // Callers that wait for the model get the error.
    loaded.model.catch((error) => {
      loaded.isMissing = !isCrash(error);
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
