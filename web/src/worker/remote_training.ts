// SPDX-License-Identifier: MIT
// What models in a worker that trains can do; fetched with the first of them.
import {
  checkFunction,
  checkSignal,
  isPlain,
  checkOptions,
  checkList,
  optionsOf,
  refuse,
} from '../base/check.js';
import { ValueError } from '../base/errors.js';
import type { PerOutput } from '../measures/evaluation.js';
import { isTypedArray } from '../base/nested.js';
import type { FitOptions, History, Logs, TrainOnBatchOptions } from '../model/train_options.js';
import { fitHooks, fitOptions } from '../training/fit_options.js';
import type { Sending, Tell } from './connection.js';
import { WorkerControls } from './controls.js';
import {
  buffersOf,
  checkClonable,
  toTree,
  toWire,
  type WorkerInput,
  type WorkerInputs,
} from './inputs.js';
import type { BatchRequest, TrainingEvent, WireFit, WireSide } from './messages.js';
import { BatchFeed, givesBatches, rowsOf, type WorkerBatches } from './remote_batches.js';

export type { WorkerControls } from './controls.js';
export type { WorkerBatch, WorkerBatches } from './remote_batches.js';

type Hook = TrainingEvent['event'];

type Made = WireFit['made'][number][0];
const made: { readonly [Name in Made]: 1 } = {
  earlyStopping: 1,
  reduceLROnPlateau: 1,
  terminateOnNaN: 1,
};

/** Options of `fit` for a model in a worker. */
export interface WorkerFitOptions
  extends Omit<FitOptions, 'callbacks' | 'sampleWeight' | 'validationData' | 'verbose'> {
  /** As in `fit`. */
  sampleWeight?: PerOutput<WorkerInput> | null;
  /** [x, y], [x, y, sampleWeight] or batches. */
  validationData?:
    | readonly [
        x: WorkerInputs,
        y: PerOutput<WorkerInput>,
        sampleWeight?: PerOutput<WorkerInput> | null,
      ]
    | WorkerBatches;
  /**
   * Those of `callbacks` that the worker can make, by name, with their settings: { earlyStopping: { patience: 2 } }; and `controls`, which
   * `controls()` of the model gives.
   */
  callbacks?: { readonly [Name in Made]?: object } & { readonly controls?: WorkerControls };
  /** Milliseconds that the call may take before its worker is ended; else that of the worker. */
  timeLimit?: number;
}

const { verbose: _, ...sharedOptions } = fitOptions;
const workerFitOptions: { readonly [Name in keyof WorkerFitOptions]-?: 1 } = {
  ...sharedOptions,
  timeLimit: 1,
};

type Ask = <T>(op: string, args: unknown, sending?: Sending) => Promise<T>;

/** Plain data alone can go to a worker. */
export function compile(ask: Ask, given: unknown): Promise<void> {
  return ask('compile', checkClonable(optionsOf(given as object), 'the options of compile'));
}

type Feeds = { readonly [Side in WireSide]?: BatchFeed };

/** Rows as they cross; batches stay. */
function dataOf(x: unknown, y: unknown, sampleWeight: unknown): WireFit['data'] {
  if (!givesBatches(x)) return [toTree(x), ...rowsOf([y, sampleWeight])];
  for (const [name, value] of Object.entries({ y, sampleWeight })) {
    if (value === undefined || value === null) continue;
    throw new ValueError(`${name} comes with the batches: [x, y, sampleWeight]`);
  }
  return 'batches';
}

function validationOf(given: unknown): WireFit['validation'] {
  if (given === undefined) return null;
  if (givesBatches(given)) return 'batches';
  if (Array.isArray(given) && (given.length === 2 || given.length === 3)) return rowsOf(given);
  throw new ValueError('validationData of a worker is [x, y], [x, y, sampleWeight] or batches');
}

function callbacksOf(given: unknown): Pick<WireFit, 'made' | 'controls'> {
  if (given !== undefined && !isPlain(given)) {
    throw new ValueError(
      'callbacks cannot go to a worker; name those that it is to make, { earlyStopping: { patience: 2 } }, and hear onEpochEnd',
    );
  }
  const { controls, ...chosen } = checkOptions(given, { ...made, controls: 1 });
  if (controls !== undefined && !(controls instanceof WorkerControls)) {
    refuse('controls', 'what controls() of a model in a worker gives', controls);
  }
  return {
    made: Object.entries(chosen).map(([name, settings]) => [
      name as Made,
      checkClonable(settings ?? {}, name) as object,
    ]),
    controls: controls ? { paused: controls.paused } : null,
  };
}

function wireOf(x: unknown, y: unknown, given: WorkerFitOptions, told: readonly Hook[]): WireFit {
  const { sampleWeight, validationData, callbacks, signal: _, timeLimit: __, ...rest } = given;
  for (const name of told) delete rest[name];
  return {
    data: dataOf(x, y, sampleWeight),
    validation: validationOf(validationData),
    options: checkClonable(rest, 'the options of fit') as object,
    told,
    ...callbacksOf(callbacks),
  };
}

type Report = TrainingEvent | BatchRequest;

/** One call of `fit`, seen from this thread. */
class RemoteFit {
  readonly #control = new AbortController();
  #tell: Tell = () => {};

  constructor(
    readonly given: WorkerFitOptions,
    readonly feeds: Feeds,
  ) {}

  /** What hooks throw, or fail with later, ends the training; the worker does not wait for them. */
  #event({ event, args }: TrainingEvent): unknown {
    return (this.given[event] as (...args: readonly unknown[]) => unknown)(...args);
  }

  async #feed({ wanted: side, begins }: BatchRequest): Promise<void> {
    const batch = await (this.feeds[side] as BatchFeed).next(begins);
    this.#tell({ side, batch }, buffersOf(batch));
  }

  async #heard(report: Report): Promise<void> {
    if (this.#control.signal.aborted) return;
    try {
      await ('wanted' in report ? this.#feed(report) : this.#event(report));
    } catch (error) {
      this.#control.abort(error);
    }
  }

  async run(ask: Ask, args: WireFit): Promise<History> {
    const { signal, timeLimit, callbacks } = this.given;
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
        onProgress: (report: Report) => void this.#heard(report),
        onSent: (tell) => {
          this.#tell = tell;
        },
      });
    } finally {
      signal?.removeEventListener('abort', stop);
      controls?.connect(null);
      // (What fails there must not hide why `fit` ended.)
      for (const feed of Object.values(this.feeds)) await feed.close().catch(() => {});
    }
  }
}

/** See `fit` of RemoteModel. */
export async function fit(
  ask: Ask,
  x: unknown,
  y: unknown,
  options: WorkerFitOptions | undefined,
): Promise<History> {
  // fit(batches, options)
  const moved = options === undefined && givesBatches(x) && isPlain(y);
  const given = checkOptions(
    (moved ? y : options) as WorkerFitOptions | undefined,
    workerFitOptions,
  );
  checkSignal(given.signal);
  const told = fitHooks.filter((name) => given[name] !== undefined);
  for (const name of told) checkFunction(given[name], name);
  const args = wireOf(x, moved ? null : y, given, told);
  const feeds = {
    ...(args.data === 'batches' && { data: new BatchFeed(x as WorkerBatches) }),
    ...(args.validation === 'batches' && {
      validation: new BatchFeed(given.validationData as WorkerBatches),
    }),
  };
  return new RemoteFit(given, feeds).run(ask, args);
}

/** Options of `trainOnBatch` for a model in a worker. */
export interface WorkerBatchOptions extends Omit<TrainOnBatchOptions, 'sampleWeight'> {
  sampleWeight?: PerOutput<WorkerInput> | null;
  signal?: AbortSignal;
  timeLimit?: number;
}

/** See `trainOnBatch` and `testOnBatch` of RemoteModel. */
export async function onBatch(
  ask: Ask,
  x: unknown,
  y: unknown,
  options: WorkerBatchOptions | undefined,
  training: boolean,
): Promise<Logs> {
  const { sampleWeight, signal, timeLimit, ...rest } = optionsOf(options);
  const args = {
    rows: [toTree(x), ...rowsOf([y, sampleWeight])],
    options: checkClonable(rest, 'the options of a batch') as object,
    training,
  };
  return ask('onBatch', args, { signal, timeLimit, transfer: buffersOf([args]) });
}

/** See `setWeights` of RemoteModel. */
export async function setWeights(ask: Ask, values: readonly WorkerInput[]): Promise<void> {
  checkList(values, 'what setWeights takes');
  // (Typed arrays alone say nothing of a shape.)
  const args = values.map((value) => (isTypedArray(value) ? value.slice() : toWire(value)));
  return ask('setWeights', args, { transfer: buffersOf(args) });
}

export const controls = (): WorkerControls => new WorkerControls();
