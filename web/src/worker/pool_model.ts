// SPDX-License-Identifier: MIT
// A model of a pool: it divides rows into shards and joins their results in the order of the rows.
import { Identity } from '../base/identity.js';
import { StateError, UnsupportedError } from '../base/errors.js';
import type { EvaluateOptions, Evaluation, PerOutput } from '../measures/evaluation.js';
import type { WeightInfo } from '../layers/layer.js';
import type { SummaryOptions, TraceOptions } from '../model/predict_options.js';
import type { Predictions } from '../model/predictor.js';
import type { PaddingCheck, PaddingOptions } from '../model/padding/check_padding.js';
import type { TraceEntry } from '../model/trace.js';
import { CrashError, isCrash, onlyBy, TimeLimitError } from './failures.js';
import { toCall, type WorkerCallOptions, type WorkerInput, type WorkerInputs } from './inputs.js';
import type { WireCall, WireTree } from './messages.js';
import type { Sending } from './connection.js';
import type { PoolMember } from './pool_member.js';
import { countsIn, type SymbolFacts } from './model_facts.js';
import type { RemoteModel } from './remote_model.js';
import { arrangeCall, cutCall, joinTrees, copyCall, restoreOrder, rowsOf } from './rows.js';
import { cutByWork, heaviestFirst, type Shard, workOf } from './shards.js';
import type { TaskQueue } from './task_queue.js';
import { fromTree, type WorkerOutputs, type WorkerTensor } from './worker_tensor.js';

/** Makes the batches of a shard equally large; its rows are seldom a multiple of `batchSize`. */
function withEvenBatches(call: WireCall, batchSize: number): WireCall {
  const rows = rowsOf(call);
  if (!rows || !Number.isInteger(batchSize) || batchSize < 1) return call;
  const even = Math.ceil(rows / Math.ceil(rows / batchSize));
  return { ...call, options: { ...call.options, batchSize: even } };
}

/** A model in every worker of a pool. */
export class PoolModel extends Identity {
  readonly #pool: TaskQueue;
  readonly #model: RemoteModel;
  readonly #key: object;

  /** @internal */
  constructor(pool: TaskQueue, key: object, model: RemoteModel) {
    super();
    onlyBy('loadModel() of a pool', typeof model?.predictCall === 'function');
    this.#pool = pool;
    this.#key = key;
    this.#model = model;
  }

  /** Name of the model. */
  get name(): string {
    return this.#model.name;
  }
  /** Name, path, shape, dtype and `trainable` of each weight, in Keras's order. */
  get weights(): readonly WeightInfo[] {
    return this.#model.weights;
  }
  /** Shape (null: unknown size) and dtype of each input; empty for a subclassed model. */
  get inputs(): readonly SymbolFacts[] {
    return this.#model.inputs;
  }
  /** Shape and dtype of each output; empty for a subclassed model. */
  get outputs(): readonly SymbolFacts[] {
    return this.#model.outputs;
  }
  /** Number of elements of all weights. */
  countParams(): number {
    return this.#model.countParams();
  }

  /**
   * Like `Model.predict`, with the rows shared among the workers; the results are in the order of
   * the rows. Each worker receives about the same number of kept steps; if the model creates its
   * masks from zeros, steps that are not zero are counted. Calls that cannot be split by rows
   * (`initialState`, inputs with different numbers of rows) go to one worker.
   *
   * Calls wait for free workers. A worker that crashes is replaced, and its rows are computed
   * again. Throws StateError if that fails too, and if the pool has a limit (`queue`) that is
   * reached; UnsupportedError for a stateful model, whose rows must stay with their states.
   */
  predict<T extends WorkerOutputs = WorkerTensor>(
    inputs: WorkerInputs,
    options: WorkerCallOptions = {},
  ): Promise<T> {
    return this.#pool.enter(async () => {
      const call = toCall(inputs, options, countsIn(this.#model));
      return fromTree(await this.predictCall(call, options)) as T;
    });
  }

  /** `predict` under the name that all classes of models share; see `Predictor`. */
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
    const order = heaviestFirst(work);
    if (order) {
      const arranged = arrangeCall(call, order);
      const sorted = Float64Array.from(order, (row) => work[row] as number);
      const outputs = joinTrees(await this.#shared(arranged, sorted, sending));
      const restored = restoreOrder(outputs, order);
      if (restored) return restored;
    }
    return joinTrees(await this.#shared(call, work, sending));
  }

  /**
   * Splits a call among the workers, so that each has about the same share of `work`, the work of
   * each row. Null: the call cannot be split, and one worker runs it.
   */
  #shared(
    call: WireCall,
    work: Float64Array | null,
    { signal, timeLimit }: Sending,
  ): Promise<WireTree[]> {
    const { batchSize = 32 } = call.options as { batchSize?: number };
    const shards: (Shard | null)[] = work ? cutByWork(work, this.#pool.size, batchSize) : [null];
    // The first failure stops the other shards.
    const stop = new AbortController();
    const cancel = (): void => stop.abort(signal?.reason);
    signal?.addEventListener('abort', cancel);
    const parts = shards.map((shard) =>
      this.#anywhere(
        (model) => {
          const part = shard ? cutCall(call, shard.from, shard.to) : call;
          // A copy, because transferred buffers could not be computed again.
          return model.predictCall(withEvenBatches(copyCall(part), batchSize), {
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

  /** Runs a request in the first free worker. If it crashes, repeats this in its replacement. */
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
      // Another attempt would take as long.
      const isLate = error instanceof TimeLimitError;
      if (isLate || isCrash(error)) member.replace();
      if (isLate || !isCrash(error)) throw error;
    }
    try {
      return await attempt();
    } catch (error) {
      if (error instanceof TimeLimitError) member.replace();
      if (!isCrash(error)) throw error;
      member.replace();
      throw new StateError(
        `two workers crashed in ${what} (${error instanceof CrashError ? error.what : (error as Error).message}); use a smaller batchSize, or check the data`,
      );
    }
  }

  #alone<T>(ask: (model: RemoteModel) => Promise<T>, signal?: AbortSignal): Promise<T> {
    return this.#pool.enter(() => this.#anywhere(ask, signal, 'this call'));
  }

  /** Like `Model.evaluate`, in one of the workers. Pass losses and metrics by name. */
  evaluate(
    x: WorkerInputs,
    y: PerOutput<WorkerInput>,
    options: EvaluateOptions & Pick<WorkerCallOptions, 'signal' | 'timeLimit'> = {},
  ): Promise<Evaluation> {
    return this.#alone((model) => model.evaluate(x, y, options), options.signal);
  }

  /** Like `Model.traceMasks`, in one of the workers. */
  traceMasks(
    inputs: WorkerInputs,
    options: WorkerCallOptions & TraceOptions = {},
  ): Promise<TraceEntry[]> {
    return this.#alone((model) => model.traceMasks(inputs, options), options.signal);
  }

  /** Like `Model.checkPadding`, in one of the workers. */
  checkPadding(
    x: WorkerInputs,
    options: PaddingOptions & Pick<WorkerCallOptions, 'signal' | 'timeLimit'> = {},
  ): Promise<PaddingCheck> {
    return this.#alone((model) => model.checkPadding(x, options), options.signal);
  }

  /** Like `Model.summary`. */
  summary(options: SummaryOptions = {}): Promise<string> {
    return this.#alone((model) => model.summary(options));
  }

  /** Frees the model in all workers. */
  dispose(): void {
    this.#pool.forget(this.#key);
  }
  /** Calls `dispose()`; for `using`. */
  [Symbol.dispose](): void {
    this.dispose();
  }
}
