// SPDX-License-Identifier: MIT
import { checkFunction, optionsOf } from '../base/check.js';
import { StateError, UnsupportedError } from '../base/errors.js';
import type { EvaluateOptions, Evaluation, PerOutput } from '../measures/evaluation.js';
import type { ModelSource } from '../base/model_source.js';
import type { Config, WeightInfo } from '../layers/layer.js';
import type { LoadOptions, LoadWeightsOptions } from '../model/load_options.js';
import type { Predictions } from '../model/predictor.js';
import type { CompileOptions, History, Logs } from '../model/train_options.js';
import type { TraceEntry } from '../model/trace.js';
import type { Connection, Sending } from './connection.js';
import { onlyBy } from './failures.js';
import {
  buffersOf,
  ownWorkerNeeded,
  toCall,
  toTree,
  type WorkerCallOptions,
  type WorkerInput,
  type WorkerInputs,
} from './inputs.js';
import type { WireCall, WireSource, WireTensor, WireTree } from './messages.js';
import type { ModelFacts, SymbolFacts } from './model_facts.js';
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
 * A model in a worker. Methods have the names and options of `Model` and answer with promises; errors are of the same
 * classes. Inputs are copied, results handed over. Calls of one worker run one after the other.
 *
 * CrashError, a StateError, when the worker breaks down meanwhile.
 */
export class RemoteModel {
  readonly #connection: Connection;
  readonly #facts: ModelFacts;
  #disposed = false;

  readonly #training: typeof Training | null;

  /** @internal */
  constructor(connection: Connection, facts: ModelFacts, training: typeof Training | null = null) {
    onlyBy('loadModel() of a worker', typeof facts?.id === 'number');
    this.#connection = connection;
    this.#facts = facts;
    this.#training = training;
  }

  get name(): string {
    return this.#facts.name;
  }
  /** In Keras's order: name, path, shape, dtype, trainable. */
  get weights(): readonly WeightInfo[] {
    return this.#facts.weights;
  }
  /** Shape (null where unknown) and dtype of each input; empty for a model of your own class. */
  get inputs(): readonly SymbolFacts[] {
    return this.#facts.inputs;
  }
  get outputs(): readonly SymbolFacts[] {
    return this.#facts.outputs;
  }
  /** Does a layer carry states from call to call? */
  get stateful(): boolean {
    return this.#facts.stateful;
  }
  /** Does a layer in it make masks from its inputs, as Masking and Embedding with `maskZero` do? @internal */
  get makesMasks(): boolean {
    return this.#facts.makesMasks;
  }

  countParams(): number {
    return this.#facts.params;
  }

  /** As `Model.predict`; cancelled by `signal` between two batches. */
  async predict<T extends WorkerOutputs = WorkerTensor>(
    inputs: WorkerInputs,
    options: WorkerCallOptions = {},
  ): Promise<T> {
    const call = toCall(inputs, options);
    return fromTree(await this.predictCall(call, options)) as T;
  }

  /** `predict` by the name that models of this thread have for a promise; see `Predictor`. */
  predictAsync<T extends Predictions = WorkerTensor>(
    inputs: WorkerInputs,
    options?: WorkerCallOptions,
  ): Promise<T> {
    return this.predict(inputs, options) as Promise<T & WorkerTensor>;
  }

  /** Hands the call's buffers over. @internal */
  predictCall(call: WireCall, { signal, timeLimit }: Sending = {}): Promise<WireTree> {
    return this.#ask('predict', call, { signal, timeLimit, transfer: buffersOf([call]) });
  }

  /** As `Model.evaluate`; losses and metrics go by name. */
  async evaluate(
    x: WorkerInputs,
    y: PerOutput<WorkerInput>,
    options: EvaluateOptions & { signal?: AbortSignal; timeLimit?: number } = {},
  ): Promise<Evaluation> {
    const { signal, timeLimit, ...rest } = optionsOf(options);
    const args = { call: toCall(x, rest as WorkerCallOptions), y: toTree(y) };
    return this.#ask('evaluate', args, { signal, timeLimit, transfer: buffersOf([args]) });
  }

  /** As `Model.compile`, with names and configurations alone: classes and functions cannot go to a worker. */
  async compile(options: CompileOptions = {}): Promise<void> {
    return this.#trainer('compile').compile(this.#asking, options);
  }

  /**
   * As `Model.fit`, in the worker, where the weights stay: `save` and `getWeights` ask for them. Calls that are made meanwhile wait until it
   * has ended, `predict` too. Hooks hear of what happened while the worker goes on; what they throw ends the training.
   * `signal`: the promise fails at once with its reason, and the worker stops after the batch it is at.
   */
  fit(
    x: WorkerInputs,
    y: PerOutput<WorkerInput> | null | undefined,
    options?: WorkerFitOptions,
  ): Promise<History>;
  /** Batches stay in this thread and go over one by one, as the worker asks for them. */
  fit(batches: WorkerBatches, options?: WorkerFitOptions): Promise<History>;
  async fit(x: never, y?: never, options?: never): Promise<History> {
    return this.#trainer('fit').fit(this.#asking, x, y, options);
  }

  /** As `Model.trainOnBatch`. */
  async trainOnBatch(
    x: WorkerInputs,
    y: PerOutput<WorkerInput>,
    options?: WorkerBatchOptions,
  ): Promise<Logs> {
    return this.#trainer('trainOnBatch').onBatch(this.#asking, x, y, options, true);
  }

  /** As `Model.testOnBatch`. */
  async testOnBatch(
    x: WorkerInputs,
    y: PerOutput<WorkerInput>,
    options?: Omit<WorkerBatchOptions, 'classWeight'>,
  ): Promise<Logs> {
    return this.#trainer('testOnBatch').onBatch(this.#asking, x, y, options, false);
  }

  /** As `Model.setWeights`: all of them, in the order of `weights`. */
  async setWeights(values: readonly WorkerInput[]): Promise<void> {
    return this.#trainer('setWeights').setWeights(this.#asking, values);
  }

  /** Buttons for `fit`: `callbacks: { controls }`. */
  controls(): WorkerControls {
    return this.#trainer('controls').controls();
  }

  #trainer(method: string): typeof Training {
    if (this.#training) return this.#training;
    throw new UnsupportedError(`${method} needs a worker that trains: openWorker({ train: true })`);
  }

  /** As `Model.traceMasks`. */
  async traceMasks(
    inputs: WorkerInputs,
    options: WorkerCallOptions & { maskOperations?: boolean } = {},
  ): Promise<TraceEntry[]> {
    const { signal, timeLimit } = optionsOf(options);
    return this.#ask('traceMasks', toCall(inputs, options), { signal, timeLimit });
  }

  /** The layers as a table with a column for masks; printed with `print`, null for not at all. */
  async summary(options: { print?: ((text: string) => void) | null } = {}): Promise<string> {
    const { print = console.log } = optionsOf(options);
    const text = await this.#ask<string>('summary');
    if (print) checkFunction(print, 'print');
    await print?.(text);
    return text;
  }

  /** Class and configuration in Keras's form: `Model.fromConfig` makes an equal model in this thread. */
  toConfig(): Promise<Config> {
    return this.#ask('config');
  }

  /** Values of all weights, in the order of `weights`. */
  async getWeights(): Promise<WorkerTensor[]> {
    const weights = await this.#ask<WireTensor[]>('getWeights');
    return weights.map((weight) => new WorkerTensor(weight));
  }

  /** As `Model.loadWeights`. */
  async loadWeights(
    source: ModelSource,
    options: LoadWeightsOptions & { timeLimit?: number } = {},
  ): Promise<void> {
    const { signal, onProgress, timeLimit, ...rest } = optionsOf(options);
    const args = { source: await sourceToWire(source, options), options: rest };
    return this.#ask('loadWeights', args, { signal, timeLimit, onProgress });
  }

  /** The bytes of a `.keras` file. */
  save(): Promise<Uint8Array> {
    return this.#ask('save');
  }
  /** The bytes of a `.weights.h5` file. */
  saveWeights(): Promise<Uint8Array> {
    return this.#ask('saveWeights');
  }
  /** The files of TensorFlow.js's layers format, by name. */
  saveTfjs(): Promise<Map<string, Uint8Array>> {
    return this.#ask('saveTfjs');
  }

  /** Forgets the states of stateful layers. */
  resetState(): Promise<void> {
    return this.#ask('resetState');
  }

  /** Gives the worker's memory back, after the calls that were made before. */
  dispose(): void {
    if (!this.#disposed) this.#connection.tell('dispose', this.#facts.id);
    this.#disposed = true;
  }
  [Symbol.dispose](): void {
    this.dispose();
  }

  readonly #asking = <T>(op: string, args: unknown, sending?: Sending): Promise<T> =>
    this.#ask(op, args, sending);

  async #ask<T>(op: string, args: unknown = null, sending: Sending = {}): Promise<T> {
    if (this.#disposed) throw new StateError('this model was disposed of; load it again');
    return this.#connection.request(op, this.#facts.id, args, sending);
  }
}

/** A model loaded by the worker at the other end. */
export async function loadRemote(
  connection: Connection,
  source: WireSource,
  options: LoadOptions & { timeLimit?: number },
): Promise<RemoteModel> {
  const { signal, onProgress, timeLimit, ...rest } = optionsOf(options);
  if (rest.customObjects) throw ownWorkerNeeded('customObjects are classes and functions');
  // Weights from elsewhere cross with the source; null stays an option.
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
