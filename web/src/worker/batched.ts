// SPDX-License-Identifier: MIT
// `batched` of maskflow/worker, for servers: many requests for one row share a call of the model.
import { Identity } from '../base/identity.js';
import { checkOptions, checkSignal, refuse } from '../base/check.js';
import { StateError, UnsupportedError } from '../base/errors.js';
import { nextTask } from '../base/next_task.js';
import { onlyBy } from './failures.js';
import { toTree, type WorkerInputs } from './inputs.js';
import type { WireTree } from './messages.js';
import { type AnyModel, RequestRunner } from './request_runner.js';
import { fromTree, type WorkerOutputs, type WorkerTensor } from './worker_tensor.js';

/** Options of `batched`. */
export interface BatchedOptions {
  /** Largest number of rows of a batch; a full batch starts at once. Default: 64. */
  maxBatch?: number;
  /** Milliseconds that a row waits at most for a running batch to end. Default: 5. */
  maxDelay?: number;
  /**
   * Value that pads shorter rows at the end, if the model masks it. null: only rows of equal shape
   * are joined. Default: 0.
   */
  padValue?: number | null;
}

/** A row that waits for its batch, or for its result. */
interface Request {
  readonly row: WireTree;
  resolve(outputs: WorkerOutputs): void;
  reject(reason: unknown): void;
  isSettled: boolean;
}

/** Returns the number of inputs of a model of this thread or a worker; 0 if it is not known. */
function inputCountOf(model: AnyModel): number {
  try {
    const { inputs = [] } = model as { inputs?: readonly { dispose?(): void }[] };
    for (const input of inputs) input.dispose?.();
    return inputs.length;
  } catch {
    return 0;
  }
}

/** A model that joins concurrent requests for single rows. */
export class BatchedModel extends Identity {
  readonly #runner: RequestRunner;
  readonly #maxBatch: number;
  readonly #maxDelay: number;
  readonly #inputCount: number;
  #waiting: Request[] = [];
  #running = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isDisposed = false;

  /** @internal */
  constructor(model: AnyModel, options: BatchedOptions) {
    super();
    onlyBy('batched()', typeof model?.predictAsync === 'function');
    const { maxBatch = 64, maxDelay = 5, padValue = 0 } = options;
    this.#runner = new RequestRunner(model, padValue);
    this.#maxBatch = maxBatch;
    this.#maxDelay = maxDelay;
    this.#inputCount = inputCountOf(model);
  }

  /** Number of rows that wait for a batch to start. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /**
   * Predicts one row: `row` and the result have no axis for rows. The numbers are those of a call
   * with this row alone, and so are errors, which do not affect other rows. `signal` takes the row
   * out of its batch.
   */
  predict<T extends WorkerOutputs = WorkerTensor>(
    row: WorkerInputs,
    options: {
      /** Ends the wait of this row. */
      signal?: AbortSignal;
    } = {},
  ): Promise<T> {
    return new Promise((resolve, reject) => {
      const { signal } = checkOptions(options, { signal: 1 });
      checkSignal(signal);
      if (this.#isDisposed) {
        throw new StateError(
          'this batched model was disposed of; call batched() again',
          'ERR_DISPOSED',
        );
      }
      const settle = (finish: () => void): void => {
        request.isSettled = true;
        signal?.removeEventListener('abort', abort);
        finish();
      };
      const request: Request = {
        row: toTree(row, this.#inputCount),
        resolve: (outputs) => settle(() => resolve(outputs as T)),
        reject: (reason) => settle(() => reject(reason)),
        isSettled: false,
      };
      const abort = (): void => this.#abort(request, signal?.reason);
      signal?.addEventListener('abort', abort);
      this.#add(request);
    });
  }

  /** Rejects the rows that wait with a StateError. The model itself stays. */
  dispose(): void {
    this.#isDisposed = true;
    clearTimeout(this.#timer);
    const error = new StateError(
      'the batched model was disposed of before this row was computed',
      'ERR_DISPOSED',
    );
    for (const request of this.#waiting.splice(0)) request.reject(error);
  }
  /** Calls `dispose()`; for `using`. */
  [Symbol.dispose](): void {
    this.dispose();
  }

  #add(request: Request): void {
    this.#waiting.push(request);
    if (this.#waiting.length >= this.#maxBatch) this.#flush();
    else if (this.#waiting.length > 1) return;
    // Requests that arrive together join, also while nothing runs.
    else if (this.#running === 0) void nextTask().then(() => this.#flush());
    else this.#timer = setTimeout(() => this.#flush(), this.#maxDelay);
  }

  readonly #stops = new Map<Request, () => void>();

  #abort(request: Request, reason: unknown): void {
    const index = this.#waiting.indexOf(request);
    if (index >= 0) this.#waiting.splice(index, 1);
    request.reject(reason);
    this.#stops.get(request)?.();
  }

  #flush(): void {
    clearTimeout(this.#timer);
    const batch = this.#waiting.splice(0);
    if (batch.length === 0) return;
    this.#running++;
    void this.#run(batch).finally(() => {
      this.#running--;
      if (this.#running === 0) this.#flush();
    });
  }

  async #run(batch: readonly Request[]): Promise<void> {
    const control = new AbortController();
    // Cancels the call when all its requests are cancelled or have timed out.
    const stop = (): void => {
      if (batch.every(({ isSettled }) => isSettled)) control.abort();
    };
    for (const request of batch) this.#stops.set(request, stop);
    try {
      const rows = batch.map(({ row }) => row);
      const answers = await this.#runner.run(rows, control.signal);
      batch.forEach((request, i) => {
        const answer = answers[i];
        if (request.isSettled || !answer) return;
        if ('row' in answer) request.resolve(fromTree(answer.row));
        else request.reject(answer.error);
      });
    } finally {
      for (const request of batch) this.#stops.delete(request);
    }
  }
}

/**
 * Joins concurrent predictions of single rows in batches, over a model of this thread, of a worker
 * or of a pool: a server then computes many requests at once. A row starts at once if nothing
 * runs. Otherwise it waits for the running batch to end, at most `maxDelay` milliseconds.
 *
 * Rows of different lengths are padded if the model masks the padding and padded rows have the bits
 * that they have alone, which the first such rows show. Otherwise, and for models with several
 * inputs, rows of equal shape are joined.
 *
 * Throws UnsupportedError for a stateful model, whose rows must stay with their states.
 *
 * @param model A model of this thread, a worker or a pool.
 *
 * @example
 * const one = batched(await pool.loadModel('model.keras'));
 * const [a, b] = await Promise.all([one.predict([1, 2]), one.predict([3, 4, 5])]);
 */
export function batched(model: AnyModel, options: BatchedOptions = {}): BatchedModel {
  const checked = checkOptions(options, { maxBatch: 1, maxDelay: 1, padValue: 1 });
  const { maxBatch = 64, maxDelay = 5, padValue = 0 } = checked;
  if (typeof (model as AnyModel | null)?.predictAsync !== 'function') {
    refuse('the model', 'a Model, or a model of openWorker() or openPool()', model);
  }
  if (!(Number.isInteger(maxBatch) && maxBatch >= 1 && maxBatch <= 65_536)) {
    refuse('maxBatch', 'an integer from 1 to 65536', maxBatch);
  }
  if (typeof maxDelay !== 'number' || !(maxDelay >= 0 && maxDelay <= 60_000)) {
    refuse('maxDelay', 'a number of milliseconds from 0 to 60000', maxDelay);
  }
  if (padValue !== null && typeof padValue !== 'number') {
    refuse('padValue', 'a number or null', padValue);
  }
  const { name, stateful } = model as AnyModel & { stateful?: boolean };
  if (stateful) {
    throw new UnsupportedError(
      `'${name}' has stateful layers, whose rows must stay with their states: call predict() of the model`,
    );
  }
  return new BatchedModel(model, checked);
}
