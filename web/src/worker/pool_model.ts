// SPDX-License-Identifier: MIT
import { StateError, UnsupportedError } from '../base/errors.js';
import type { EvaluateOptions, Evaluation, PerOutput } from '../measures/evaluation.js';
import type { WeightInfo } from '../layers/layer.js';
import type { Predictions } from '../model/predictor.js';
import type { TraceEntry } from '../model/trace.js';
import { CrashError, isCrash, onlyBy, TimeLimitError } from './failures.js';
import { toCall, type WorkerCallOptions, type WorkerInput, type WorkerInputs } from './inputs.js';
import type { WireCall, WireTree } from './messages.js';
import type { Sending } from './connection.js';
import type { PoolMember } from './pool_member.js';
import type { RemoteModel } from './remote_model.js';
import { arrangeCall, cutCall, joinTrees, ownCall, restoreOrder, rowsOf } from './rows.js';
import { cutByWork, dearestFirst, type Shard, workOf } from './shards.js';
import type { TaskQueue } from './task_queue.js';
import { fromTree, type WorkerOutputs, type WorkerTensor } from './worker_tensor.js';

/** Batches of equal size, none larger than asked for: cut by work, shards are seldom whole batches. */
function evenly(call: WireCall, batchSize: number): WireCall {
  const rows = rowsOf(call);
  if (!rows || !Number.isInteger(batchSize) || batchSize < 1) return call;
  const even = Math.ceil(rows / Math.ceil(rows / batchSize));
  return { ...call, options: { ...call.options, batchSize: even } };
}

/** A model in every worker of a pool. */
export class PoolModel {
  readonly #pool: TaskQueue;
  readonly #model: RemoteModel;
  readonly #key: object;

  /** @internal */
  constructor(pool: TaskQueue, key: object, model: RemoteModel) {
    onlyBy('loadModel() of a pool', typeof model?.predictCall === 'function');
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
   * As `Model.predict`, with the rows shared among the workers by the steps that their masks keep (for a model that
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
      const call = toCall(inputs, options);
      return fromTree(await this.predictCall(call, options)) as T;
    });
  }

  /** `predict` by the name that models of this thread have for a promise; see `Predictor`. */
  predictAsync<T extends Predictions = WorkerTensor>(
    inputs: WorkerInputs,
    options?: WorkerCallOptions,
  ): Promise<T> {
    return this.predict(inputs, options) as Promise<T & WorkerTensor>;
  }

  /** @internal */
  async predictCall(call: WireCall, sending: Sending): Promise<WireTree> {
    sending.signal?.throwIfAborted();
    if (this.#model.stateful) {
      throw new UnsupportedError(
        `'${this.name}' has stateful layers, whose rows must stay with their states: load it with openWorker() instead`,
      );
    }
    const rows = rowsOf(call);
    if (!rows) return joinTrees(await this.#shared(call, null, sending));
    const work = workOf(call, rows, this.#model.makesMasks);
    const order = dearestFirst(work);
    if (order) {
      const arranged = arrangeCall(call, order);
      const sorted = Float64Array.from(order, (row) => work[row] as number);
      const outputs = joinTrees(await this.#shared(arranged, sorted, sending));
      const restored = restoreOrder(outputs, order);
      if (restored) return restored;
    }
    return joinTrees(await this.#shared(call, work, sending));
  }

  /** `work` of the rows; null: the call cannot be cut. */
  #shared(
    call: WireCall,
    work: Float64Array | null,
    { signal, timeLimit }: Sending,
  ): Promise<WireTree[]> {
    const { batchSize = 32 } = call.options as { batchSize?: number };
    const shards: (Shard | null)[] = work ? cutByWork(work, this.#pool.size, batchSize) : [null];
    // The first failure stops the rest.
    const stop = new AbortController();
    const cancel = (): void => stop.abort(signal?.reason);
    signal?.addEventListener('abort', cancel);
    const parts = shards.map((shard) =>
      this.#anywhere(
        (model) => {
          const part = shard ? cutCall(call, shard.from, shard.to) : call;
          // A copy, for what is handed over cannot be computed once more.
          return model.predictCall(evenly(ownCall(part), batchSize), {
            signal: stop.signal,
            timeLimit,
          });
        },
        stop.signal,
        shard ? `${shard.to - shard.from} of ${work?.length} rows` : 'this call',
      ),
    );
    return Promise.all(parts).finally(() => {
      signal?.removeEventListener('abort', cancel);
      stop.abort();
    });
  }

  /** In the worker that is free first. If that breaks down, once more in the one that takes its place. */
  #anywhere<T>(
    ask: (model: RemoteModel) => Promise<T>,
    signal: AbortSignal | undefined,
    what: string,
  ): Promise<T> {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const stop = (): void => reject(signal?.reason);
      signal?.addEventListener('abort', stop);
      this.#pool.submit({
        get cancelled() {
          return !!signal?.aborted;
        },
        run: (member) =>
          this.#twice(member, ask, what)
            .then(resolve, reject)
            .finally(() => signal?.removeEventListener('abort', stop)),
      });
    });
  }

  async #twice<T>(
    member: PoolMember,
    ask: (model: RemoteModel) => Promise<T>,
    what: string,
  ): Promise<T> {
    const attempt = async (): Promise<T> => ask(await member.model(this.#key));
    try {
      return await attempt();
    } catch (error) {
      // Once more would take as long.
      const late = error instanceof TimeLimitError;
      if (late || isCrash(error)) member.replace();
      if (late || !isCrash(error)) throw error;
    }
    try {
      return await attempt();
    } catch (error) {
      if (error instanceof TimeLimitError) member.replace();
      if (!isCrash(error)) throw error;
      member.replace();
      throw new StateError(
        `two workers broke down over ${what} (${error instanceof CrashError ? error.what : (error as Error).message}); give fewer rows at a time with batchSize, or look at the data`,
      );
    }
  }

  #alone<T>(ask: (model: RemoteModel) => Promise<T>, signal?: AbortSignal): Promise<T> {
    return this.#pool.enter(() => this.#anywhere(ask, signal, 'this call'));
  }

  /** As `Model.evaluate`, in one of the workers; losses and metrics go by name. */
  evaluate(
    x: WorkerInputs,
    y: PerOutput<WorkerInput>,
    options: EvaluateOptions & { signal?: AbortSignal; timeLimit?: number } = {},
  ): Promise<Evaluation> {
    return this.#alone((model) => model.evaluate(x, y, options), options.signal);
  }

  /** As `Model.traceMasks`, in one of the workers. */
  traceMasks(
    inputs: WorkerInputs,
    options: WorkerCallOptions & { maskOperations?: boolean } = {},
  ): Promise<TraceEntry[]> {
    return this.#alone((model) => model.traceMasks(inputs, options), options.signal);
  }

  /** As `Model.summary`. */
  summary(options: { print?: ((text: string) => void) | null } = {}): Promise<string> {
    return this.#alone((model) => model.summary(options));
  }

  /** Gives the memory of all workers back. */
  dispose(): void {
    this.#pool.forget(this.#key);
  }
  [Symbol.dispose](): void {
    this.dispose();
  }
}
