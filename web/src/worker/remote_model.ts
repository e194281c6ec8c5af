// SPDX-License-Identifier: MIT
// The model that `loadModel` of a worker returns. It sends requests and needs no wasm on the page.
import { Identity } from '../base/identity.js';
import { checkFunction, optionsOf } from '../base/check.js';
import { StateError, UnsupportedError } from '../base/errors.js';
import type { EvaluateOptions, Evaluation, PerOutput } from '../measures/evaluation.js';
import type { ModelSource } from '../base/model_source.js';
import type { Config, WeightInfo } from '../layers/layer.js';
import type { LoadOptions, LoadWeightsOptions } from '../model/load_options.js';
import type { SummaryOptions, TraceOptions } from '../model/predict_options.js';
import type { Predictions } from '../model/predictor.js';
import type { CompileOptions, History, Logs } from '../model/train_options.js';
import type { PaddingCheck, PaddingOptions } from '../model/padding/check_padding.js';
import type { TraceEntry } from '../model/trace.js';
import type { Connection, Sending } from './connection.js';
import { onlyBy } from './failures.js';
import {
  buffersOf,
  ownWorkerNeeded,
  type Counts,
  toCall,
  toTree,
  type WorkerCallOptions,
  type WorkerInput,
  type WorkerInputs,
} from './inputs.js';
import type { WireCall, WireSource, WireTensor, WireTree } from './messages.js';
import { countsIn, type ModelFacts, type SymbolFacts } from './model_facts.js';
import type * as Training from './remote_training.js';
import type {
  WorkerBatches,
  WorkerBatchOptions,
  WorkerControls,
  WorkerFitOptions,
} from './remote_training.js';
import { fromTree, type WorkerOutputs, WorkerTensor } from './worker_tensor.js';
import { sourceToWire } from './wire_source.js';

/**
 * A model in a worker. Its methods have the names and options of those of `Model` and return
 * promises; errors have the same classes. Inputs are copied, results are transferred. The calls of
 * one worker run one after another.
 *
 * Calls throw CrashError, a StateError, if the worker crashes.
 */
export class RemoteModel extends Identity {
  readonly #connection: Connection;
  readonly #facts: ModelFacts;
  #disposed = false;

  readonly #training: typeof Training | null;

  /** @internal */
  constructor(connection: Connection, facts: ModelFacts, training: typeof Training | null = null) {
    super();
    onlyBy('loadModel() of a worker', typeof facts?.id === 'number');
    this.#connection = connection;
    this.#facts = facts;
    this.#training = training;
  }

  /** Name of the model. */
  get name(): string {
    return this.#facts.name;
  }
  /** Name, path, shape, dtype and `trainable` of each weight, in Keras's order. */
  get weights(): readonly WeightInfo[] {
    return this.#facts.weights;
  }
  /** Shape (null: unknown size) and dtype of each input; empty for a subclassed model. */
  get inputs(): readonly SymbolFacts[] {
    return this.#facts.inputs;
  }
  /** Shape and dtype of each output; empty for a subclassed model. */
  get outputs(): readonly SymbolFacts[] {
    return this.#facts.outputs;
  }
  /** Whether a layer keeps its states from call to call. */
  get stateful(): boolean {
    return this.#facts.stateful;
  }
  /** Whether a layer creates masks, as Masking and Embedding with `maskZero` do. @internal */
  get makesMasks(): boolean {
    return this.#facts.makesMasks;
  }

  /** Number of elements of all weights. */
  countParams(): number {
    return this.#facts.params;
  }

  get #counts(): Counts {
    return countsIn(this.#facts);
  }

  /** Like `Model.predict`. A signal cancels it between two batches. */
  async predict<T extends WorkerOutputs = WorkerTensor>(
    inputs: WorkerInputs,
    options: WorkerCallOptions = {},
  ): Promise<T> {
    const call = toCall(inputs, options, this.#counts);
    return fromTree(await this.predictCall(call, options)) as T;
  }

  /** `predict` under the name that all classes of models share; see `Predictor`. */
  predictAsync<T extends Predictions = WorkerTensor>(
    inputs: WorkerInputs,
    options?: WorkerCallOptions,
  ): Promise<T> {
    return this.predict(inputs, options) as Promise<T & WorkerTensor>;
  }

  /** Transfers the buffers of the call. @internal */
  predictCall(call: WireCall, { signal, timeLimit }: Sending = {}): Promise<WireTree> {
    return this.#send('predict', call, { signal, timeLimit, transfer: buffersOf([call]) });
  }

  /** Like `Model.evaluate`. Pass losses and metrics by name. */
  async evaluate(
    x: WorkerInputs,
    y: PerOutput<WorkerInput>,
    options: EvaluateOptions & Pick<WorkerCallOptions, 'signal' | 'timeLimit'> = {},
  ): Promise<Evaluation> {
    const { signal, timeLimit, ...rest } = optionsOf(options);
    const call = toCall(x, rest as WorkerCallOptions, this.#counts);
    const args = { call, y: toTree(y, this.#counts.outputs) };
    return this.#send('evaluate', args, { signal, timeLimit, transfer: buffersOf([args]) });
  }

  /**
   * Like `Model.compile`. Names, configs and objects of `optimizers`, `losses` and `metrics` reach
   * the worker; functions and classes of your own cannot, and throw ValueError.
   */
  async compile(options: CompileOptions = {}): Promise<void> {
    return this.#trainer('compile').compile(this.#request, options);
  }

  /**
   * Like `Model.fit`, in the worker. The weights stay there; `save` and `getWeights` fetch them.
   * Other calls, such as `predict`, wait until training has ended. Hooks such as `onEpochEnd` are
   * called while the worker continues; an error thrown by a hook ends the training. `signal`
   * rejects the promise at once with its reason, and the worker stops after the current batch.
   */
  fit(
    x: WorkerInputs,
    y: PerOutput<WorkerInput> | null | undefined,
    options?: WorkerFitOptions,
  ): Promise<History>;
  /** Batches stay in this thread; each is sent when the worker requests it. */
  fit(batches: WorkerBatches, options?: WorkerFitOptions): Promise<History>;
  async fit(x: never, y?: never, options?: never): Promise<History> {
    return this.#trainer('fit').fit(this.#request, this.#counts, x, y, options);
  }

  /** Like `Model.trainOnBatch`. */
  async trainOnBatch(
    x: WorkerInputs,
    y: PerOutput<WorkerInput>,
    options?: WorkerBatchOptions,
  ): Promise<Logs> {
    return this.#trainer('trainOnBatch').onBatch(
      this.#request,
      this.#counts,
      [x, y],
      options,
      true,
    );
  }

  /** Like `Model.testOnBatch`. */
  async testOnBatch(
    x: WorkerInputs,
    y: PerOutput<WorkerInput>,
    options?: Omit<WorkerBatchOptions, 'classWeight'>,
  ): Promise<Logs> {
    return this.#trainer('testOnBatch').onBatch(
      this.#request,
      this.#counts,
      [x, y],
      options,
      false,
    );
  }

  /** Like `Model.setWeights`: sets all weights, in the order of `weights`. */
  async setWeights(values: readonly WorkerInput[]): Promise<void> {
    return this.#trainer('setWeights').setWeights(this.#request, values);
  }

  /** Creates controls that pause and stop `fit`: pass them as `callbacks: { controls }`. */
  controls(): WorkerControls {
    return this.#trainer('controls').controls();
  }

  #trainer(method: string): typeof Training {
    if (this.#training) return this.#training;
    throw new UnsupportedError(`${method} needs a worker that trains: openWorker({ train: true })`);
  }

  /** Like `Model.traceMasks`. */
  async traceMasks(
    inputs: WorkerInputs,
    options: WorkerCallOptions & TraceOptions = {},
  ): Promise<TraceEntry[]> {
    const { signal, timeLimit } = optionsOf(options);
    return this.#send('traceMasks', toCall(inputs, options, this.#counts), { signal, timeLimit });
  }

  /** Like `Model.checkPadding`. */
  async checkPadding(
    x: WorkerInputs,
    options: PaddingOptions & Pick<WorkerCallOptions, 'signal' | 'timeLimit'> = {},
  ): Promise<PaddingCheck> {
    const { signal, timeLimit } = optionsOf(options);
    return this.#send('checkPadding', toCall(x, options, this.#counts), { signal, timeLimit });
  }

  /**
   * Returns a table of the layers with a column for masks, and prints it. `print: null` does not.
   */
  async summary(options: SummaryOptions = {}): Promise<string> {
    const { print = console.log } = optionsOf(options);
    const text = await this.#send<string>('summary');
    if (print) checkFunction(print, 'print');
    await print?.(text);
    return text;
  }

  /**
   * Returns the class and config in Keras's form. `Model.fromConfig` creates an equal model in this
   * thread.
   */
  toConfig(): Promise<Config> {
    return this.#send('config');
  }

  /** Returns the values of all weights, in the order of `weights`. */
  async getWeights(): Promise<WorkerTensor[]> {
    const weights = await this.#send<WireTensor[]>('getWeights');
    return weights.map((weight) => new WorkerTensor(weight));
  }

  /** Like `Model.loadWeights`. */
  async loadWeights(
    source: ModelSource,
    options: LoadWeightsOptions & Pick<WorkerCallOptions, 'timeLimit'> = {},
  ): Promise<void> {
    const { signal, onProgress, timeLimit, ...rest } = optionsOf(options);
    const args = { source: await sourceToWire(source, options), options: rest };
    return this.#send('loadWeights', args, { signal, timeLimit, onProgress });
  }

  /** Returns the bytes of a `.keras` file. */
  save(): Promise<Uint8Array> {
    return this.#send('save');
  }
  /** Returns the bytes of a `.weights.h5` file. */
  saveWeights(): Promise<Uint8Array> {
    return this.#send('saveWeights');
  }
  /** Returns the files of TensorFlow.js's layers format, by name. */
  saveTfjs(): Promise<Map<string, Uint8Array>> {
    return this.#send('saveTfjs');
  }

  /** Resets the states of stateful layers to zeros. */
  resetState(): Promise<void> {
    return this.#send('resetState');
  }

  /** Frees the model in the worker, after earlier calls have ended. */
  dispose(): void {
    if (!this.#disposed) this.#connection.tell('dispose', this.#facts.id);
    this.#disposed = true;
  }
  /** Calls `dispose()`; for `using`. */
  [Symbol.dispose](): void {
    this.dispose();
  }

  readonly #request = <T>(op: string, args: unknown, sending?: Sending): Promise<T> =>
    this.#send(op, args, sending);

  async #send<T>(op: string, args: unknown = null, sending: Sending = {}): Promise<T> {
    if (this.#disposed)
      throw new StateError('this model was disposed of; load it again', 'ERR_DISPOSED');
    return this.#connection.request(op, this.#facts.id, args, sending);
  }
}

/** Loads a model in the worker of a connection. */
export async function loadRemote(
  connection: Connection,
  source: WireSource,
  options: LoadOptions & Pick<WorkerCallOptions, 'timeLimit'>,
): Promise<RemoteModel> {
  const { signal, onProgress, timeLimit, ...rest } = optionsOf(options);
  if (rest.customObjects) throw ownWorkerNeeded('customObjects are classes and functions');
  // Weights of another source are part of `source`; null remains an option.
  if (rest.weights) delete rest.weights;
  const args = { source, options: rest, reports: !!onProgress };
  const facts = await connection.request<ModelFacts>('load', 0, args, {
    signal,
    timeLimit,
    onProgress,
  });
  const training = facts.trains ? await import('./remote_training.js') : null;
  return new RemoteModel(connection, facts, training);
}
