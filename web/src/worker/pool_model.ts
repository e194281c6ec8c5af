// SPDX-License-Identifier: MIT
import { StateError, UnsupportedError } from '../errors.js';
import type { EvaluateOptions, Evaluation, PerOutput } from '../evaluate.js';
import type { WeightInfo } from '../layer.js';
import type { TraceEntry } from '../trace.js';
import { isCrash } from './failures.js';
import { toCall, type WorkerCallOptions, type WorkerInput, type WorkerInputs } from './inputs.js';
import type { WireCall, WireTree } from './messages.js';
import type { WorkerPool } from './pool.js';
import type { PoolMember } from './pool_member.js';
import type { RemoteModel } from './remote_model.js';
import { cutCall, joinTrees, ownCall, rowsOf } from './rows.js';
import { cutByWork, type Shard, workOf } from './shards.js';
import { fromTree, type WorkerOutputs, type WorkerTensor } from './worker_tensor.js';

/** A model in every worker of a pool. */
export class PoolModel {
  readonly #pool: WorkerPool;
  readonly #model: RemoteModel;
  readonly #key: object;

  /** @internal */
  constructor(pool: WorkerPool, key: object, model: RemoteModel) {
    this.#pool = pool;
    this.#key = key;
    this.#model = model;
  }

  get name(): string {
    return this.#model.name;
  }
  /** In Keras's order: name, path, shape, dtype, trainable. */
  get weights(): readonly WeightInfo[] {
    return this.#model.weights;
  }
  countParams(): number {
    return this.#model.countParams();
  }

  /**
   * As {@link Model.predict}, with the rows shared among the workers by the steps that their masks keep (for a model that
   * makes its masks from zeros, by the steps that are not zero), and the results in the rows' order. What cannot be cut
   * by rows (`initialState`, inputs with different numbers of rows) goes to one worker.
   *
   * A worker that breaks down is replaced and its rows are computed once more; StateError if that fails too, and when the
   * queue is full. UnsupportedError for a stateful model, whose rows must stay with their states.
   */
  predict<T extends WorkerOutputs = WorkerTensor>(
    inputs: WorkerInputs,
    options: WorkerCallOptions = {},
  ): Promise<T> {
    return this.#pool.enter(async () => {
      options.signal?.throwIfAborted();
      if (this.#model.stateful) {
        throw new UnsupportedError(
          `'${this.name}' has stateful layers, whose rows must stay with their states: load it with openWorker() instead`,
        );
      }
      const call = toCall(inputs, options);
      return fromTree(joinTrees(await this.#shared(call, options.signal))) as T;
    });
  }

  #shared(call: WireCall, signal: AbortSignal | undefined): Promise<WireTree[]> {
    const rows = rowsOf(call);
    const { batchSize = 32 } = call.options as { batchSize?: number };
    const shards: (Shard | null)[] =
      rows === null || rows === 0
        ? [null]
        : cutByWork(workOf(call, rows, this.#model.makesMasks), this.#pool.size, batchSize);
    // The first failure stops the rest.
    const stop = new AbortController();
    const cancel = (): void => stop.abort(signal?.reason);
    signal?.addEventListener('abort', cancel);
    const parts = shards.map((shard) => this.#submit(call, shard, stop.signal));
    return Promise.all(parts).finally(() => {
      signal?.removeEventListener('abort', cancel);
      stop.abort();
    });
  }

  #submit(call: WireCall, shard: Shard | null, signal: AbortSignal): Promise<WireTree> {
    return new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason));
      this.#pool.submit({
        get cancelled() {
          return signal.aborted;
        },
        run: (member) => this.#run(member, call, shard, signal).then(resolve, reject),
      });
    });
  }

  async #run(
    member: PoolMember,
    call: WireCall,
    shard: Shard | null,
    signal: AbortSignal,
  ): Promise<WireTree> {
    const part = shard ? cutCall(call, shard.from, shard.to) : call;
    const attempt = async (): Promise<WireTree> =>
      // A copy, for what is handed over cannot be computed once more.
      (await member.model(this.#key)).predictCall(ownCall(part), signal);
    try {
      return await attempt();
    } catch (error) {
      if (!isCrash(error)) throw error;
      member.replace();
    }
    try {
      return await attempt();
    } catch (error) {
      if (!isCrash(error)) throw error;
      member.replace();
      const which = shard ? `rows ${shard.from} to ${shard.to - 1}` : 'this call';
      throw new StateError(
        `two workers broke down over ${which} (${(error as Error).message}); give fewer rows at a time with batchSize, or look at these rows`,
      );
    }
  }

  /** As {@link Model.evaluate}, in one of the workers; losses and metrics go by name. */
  async evaluate(
    x: WorkerInputs,
    y: PerOutput<WorkerInput>,
    options: EvaluateOptions & { signal?: AbortSignal } = {},
  ): Promise<Evaluation> {
    return (await this.#pool.first(this.#key)).evaluate(x, y, options);
  }

  /** As {@link Model.traceMasks}, in one of the workers. */
  async traceMasks(
    inputs: WorkerInputs,
    options: WorkerCallOptions & { maskOperations?: boolean } = {},
  ): Promise<TraceEntry[]> {
    return (await this.#pool.first(this.#key)).traceMasks(inputs, options);
  }

  /** As {@link Model.summary}. */
  async summary(options: { print?: ((text: string) => void) | null } = {}): Promise<string> {
    return (await this.#pool.first(this.#key)).summary(options);
  }

  /** Gives the memory of all workers back. */
  dispose(): void {
    this.#pool.forget(this.#key);
  }
  [Symbol.dispose](): void {
    this.dispose();
  }
}
