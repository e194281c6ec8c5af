// SPDX-License-Identifier: MIT
// Training of models in workers; fetched with the first model of a worker that trains.
import {
  checkFunction,
  checkSignal,
  isPlain,
  checkOptions,
  checkList,
  optionsOf,
  refuse,
  show,
} from '../base/check.js';
import { ValueError } from '../base/errors.js';
import { sentConfigOf } from '../base/brand.js';
import type { PerOutput } from '../measures/evaluation.js';
import { isTypedArray } from '../base/nested.js';
import type { FitOptions, History, Logs, TrainOnBatchOptions } from '../model/train_options.js';
import { areOptionsSecond, fitHooks, fitOptions } from '../training/fit_options.js';
import type { Sending, Tell } from './connection.js';
import { WorkerControls } from './controls.js';
import {
  buffersOf,
  checkClonable,
  type Counts,
  toWire,
  type WorkerInput,
  type WorkerInputs,
} from './inputs.js';
import type { BatchRequest, TrainingEvent, WireFit, WireSide } from './messages.js';
import { BatchFeed, hasBatches, rowsOf, type WorkerBatches } from './remote_batches.js';

export type { WorkerControls } from './controls.js';
export type { WorkerBatch, WorkerBatches } from './remote_batches.js';

type Hook = TrainingEvent['event'];

type WorkerCallback = WireFit['callbacks'][number][0];
const workerCallbacks: { readonly [Name in WorkerCallback]: 1 } = {
  earlyStopping: 1,
  reduceLROnPlateau: 1,
  terminateOnNaN: 1,
};

/** Options of `fit` for a model in a worker. */
export interface WorkerFitOptions
  extends Omit<FitOptions, 'callbacks' | 'sampleWeight' | 'validationData' | 'verbose'> {
  /** Weights of samples; see {@link FitOptions.sampleWeight}. */
  sampleWeight?: PerOutput<WorkerInput> | null;
  /** Data for validation after epochs: `[x, y]`, `[x, y, sampleWeight]` or batches. */
  validationData?:
    | readonly [
        x: WorkerInputs,
        y: PerOutput<WorkerInput>,
        sampleWeight?: PerOutput<WorkerInput> | null,
      ]
    | WorkerBatches;
  /**
   * Settings of callbacks that the worker creates, `{ earlyStopping: { patience: 2 } }`, by name:
   * `earlyStopping`, `reduceLROnPlateau` or `terminateOnNaN`. `controls` is an object that
   * `controls()` of the model returns.
   */
  callbacks?: { readonly [Name in WorkerCallback]?: object } & {
    readonly controls?: WorkerControls;
  };
  /** Only 0: a worker prints nothing. Use `onEpochEnd` to print. */
  verbose?: 0;
  /** Milliseconds after which the worker of the call is ended. Default: the limit of the worker. */
  timeLimit?: number;
}

const workerFitOptions: { readonly [Name in keyof WorkerFitOptions]-?: 1 } = {
  ...fitOptions,
  timeLimit: 1,
};

type Ask = <T>(op: string, args: unknown, sending?: Sending) => Promise<T>;

/** Replaces optimizers, losses and metrics, also in lists and dictionaries, by their configs. */
function configsIn(value: unknown, depth = 0): unknown {
  const config = sentConfigOf(value);
  if (config !== undefined || depth > 3) return config ?? value;
  if (Array.isArray(value)) return value.map((item) => configsIn(item, depth + 1));
  if (!isPlain(value)) return value;
  const entries = Object.entries(value).map(([key, item]) => [key, configsIn(item, depth + 1)]);
  return Object.fromEntries(entries);
}

/** Compiles the model in the worker. Throws ValueError for functions and classes of the user. */
export async function compile(ask: Ask, options: unknown): Promise<void> {
  const plain = configsIn(optionsOf(options as object));
  await ask('compile', checkClonable(plain, 'the options of compile'));
}

type Feeds = { readonly [Side in WireSide]?: BatchFeed };

/** The rows as plain data; 'batches' if they stay in this thread. */
function dataOf([x, y, sampleWeight]: readonly unknown[], counts: Counts): WireFit['data'] {
  if (!hasBatches(x)) return rowsOf([x, y, sampleWeight], counts);
  for (const [name, value] of Object.entries({ y, sampleWeight })) {
    if (value === undefined || value === null) continue;
    throw new ValueError(`${name} comes with the batches: [x, y, sampleWeight]`);
  }
  return 'batches';
}

function validationOf(data: unknown, counts: Counts): WireFit['validation'] {
  if (data === undefined) return null;
  if (hasBatches(data)) return 'batches';
  if (Array.isArray(data) && (data.length === 2 || data.length === 3)) {
    return rowsOf(data, counts);
  }
  throw new ValueError('validationData must be [x, y], [x, y, sampleWeight] or batches');
}

function callbacksOf(callbacks: unknown): Pick<WireFit, 'callbacks' | 'controls'> {
  if (callbacks !== undefined && !isPlain(callbacks)) {
    throw new ValueError(
      'callbacks cannot be sent to a worker; name callbacks that it can create, { earlyStopping: { patience: 2 } }, or use onEpochEnd',
    );
  }
  const { controls, ...named } = checkOptions(callbacks, { ...workerCallbacks, controls: 1 });
  if (controls !== undefined && !(controls instanceof WorkerControls)) {
    refuse('controls', 'the result of controls() of a model in a worker', controls);
  }
  return {
    callbacks: Object.entries(named).map(([name, settings]) => [
      name as WorkerCallback,
      checkClonable(settings ?? {}, name) as object,
    ]),
    controls: controls ? { paused: controls.paused } : null,
  };
}

function wireOf(
  [x, y]: readonly unknown[],
  counts: Counts,
  options: WorkerFitOptions,
  events: readonly Hook[],
): WireFit {
  const { sampleWeight, validationData, callbacks, verbose, ...others } = options;
  if (verbose) {
    throw new ValueError(
      `verbose is ${show(verbose)} but a worker prints nothing; use onEpochEnd: (epoch, logs) => console.log(epoch, logs)`,
    );
  }
  const { signal: _, timeLimit: __, ...rest } = others;
  for (const name of events) delete rest[name];
  return {
    data: dataOf([x, y, sampleWeight], counts),
    validation: validationOf(validationData, counts),
    options: checkClonable(rest, 'the options of fit') as object,
    events,
    ...callbacksOf(callbacks),
  };
}

type Report = TrainingEvent | BatchRequest;

/** One call of `fit` in this thread. */
class RemoteFit {
  readonly #control = new AbortController();
  #tell: Tell = () => {};

  constructor(
    readonly options: WorkerFitOptions,
    readonly feeds: Feeds,
  ) {}

  /**
   * Calls a hook. The worker does not wait for it; its error, also a later one, ends the training.
   */
  #event({ event, args }: TrainingEvent): unknown {
    return (this.options[event] as (...args: readonly unknown[]) => unknown)(...args);
  }

  async #feed({ wanted: side, begins }: BatchRequest): Promise<void> {
    const batch = await (this.feeds[side] as BatchFeed).next(begins);
    this.#tell({ side, batch }, buffersOf(batch));
  }

  async #receive(report: Report): Promise<void> {
    if (this.#control.signal.aborted) return;
    try {
      await ('wanted' in report ? this.#feed(report) : this.#event(report));
    } catch (error) {
      this.#control.abort(error);
    }
  }

  async run(ask: Ask, args: WireFit): Promise<History> {
    const { signal, timeLimit, callbacks } = this.options;
    const controls = callbacks?.controls;
    const stop = (): void => this.#control.abort(signal?.reason);
    controls?.connect((press) => this.#tell({ press }));
    signal?.addEventListener('abort', stop);
    if (signal?.aborted) stop();
    try {
      return await ask<History>('fit', args, {
        signal: this.#control.signal,
        timeLimit,
        transfer: buffersOf([args]),
        onProgress: (report: Report) => void this.#receive(report),
        onSent: (tell) => {
          this.#tell = tell;
        },
      });
    } finally {
      signal?.removeEventListener('abort', stop);
      controls?.connect(null);
      // An error of closing must not replace the one that ended `fit`.
      for (const feed of Object.values(this.feeds)) await feed.close().catch(() => {});
    }
  }
}

/** See `fit` of RemoteModel. */
export async function fit(
  ask: Ask,
  counts: Counts,
  x: unknown,
  y: unknown,
  options: WorkerFitOptions | undefined,
): Promise<History> {
  const isShort = areOptionsSecond(hasBatches(x), y, options);
  const checked = checkOptions(
    (isShort ? y : options) as WorkerFitOptions | undefined,
    workerFitOptions,
  );
  checkSignal(checked.signal);
  const events = fitHooks.filter((name) => checked[name] !== undefined);
  for (const name of events) checkFunction(checked[name], name);
  const args = wireOf([x, isShort ? null : y], counts, checked, events);
  const feeds = {
    ...(args.data === 'batches' && { data: new BatchFeed(x as WorkerBatches, counts) }),
    ...(args.validation === 'batches' && {
      validation: new BatchFeed(checked.validationData as WorkerBatches, counts),
    }),
  };
  return new RemoteFit(checked, feeds).run(ask, args);
}

/** Options of `trainOnBatch` for a model in a worker. */
export interface WorkerBatchOptions extends Omit<TrainOnBatchOptions, 'sampleWeight'> {
  /** Weight of each row. */
  sampleWeight?: PerOutput<WorkerInput> | null;
  /** Rejects at once with the signal's reason. */
  signal?: AbortSignal;
  /** Milliseconds after which the worker is ended. Default: the limit of the worker. */
  timeLimit?: number;
}

/** See `trainOnBatch` and `testOnBatch` of RemoteModel. */
export async function onBatch(
  ask: Ask,
  counts: Counts,
  rows: readonly [x: unknown, y: unknown],
  options: WorkerBatchOptions | undefined,
  training: boolean,
): Promise<Logs> {
  const { sampleWeight, signal, timeLimit, ...rest } = optionsOf(options);
  const args = {
    rows: rowsOf([...rows, sampleWeight], counts),
    options: checkClonable(rest, 'the options of a batch') as object,
    training,
  };
  return ask('onBatch', args, { signal, timeLimit, transfer: buffersOf([args]) });
}

/** See `setWeights` of RemoteModel. */
export async function setWeights(ask: Ask, values: readonly WorkerInput[]): Promise<void> {
  checkList(values, 'the argument of setWeights');
  // Typed arrays have no shape; the worker knows it.
  const args = values.map((value) => (isTypedArray(value) ? value.slice() : toWire(value)));
  return ask('setWeights', args, { transfer: buffersOf(args) });
}

/** Creates controls that pause, resume and stop the training of one `fit`. */
export const controls = (): WorkerControls => new WorkerControls();
