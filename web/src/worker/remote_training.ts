// SPDX-License-Identifier: MIT
// What models in a worker that trains can do; fetched with the first of them.
import { callable, checkSignal, isPlain, known, options as optionsOf } from '../base/check.js';
import { ValueError } from '../base/errors.js';
import type { PerOutput } from '../measures/evaluation.js';
import type { FitOptions, History } from '../model/train_options.js';
import type { Sending } from './connection.js';
import { buffersOf, checkClonable, toTree, type WorkerInput, type WorkerInputs } from './inputs.js';
import type { TrainingEvent, WireFit, WireTree } from './messages.js';

type Hook = TrainingEvent['event'];
const hooks: { readonly [Name in Hook]: 1 } = {
  onEpochBegin: 1,
  onEpochEnd: 1,
  onBatchBegin: 1,
  onBatchEnd: 1,
};

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
  /** [x, y] or [x, y, sampleWeight]. */
  validationData?: readonly [
    x: WorkerInputs,
    y: PerOutput<WorkerInput>,
    sampleWeight?: PerOutput<WorkerInput> | null,
  ];
  /** Those of `callbacks` that the worker can make, by name, with their settings: { earlyStopping: { patience: 2 } }. */
  callbacks?: { readonly [Name in Made]?: object };
  /** Milliseconds that the call may take before its worker is ended; else that of the worker. */
  timeLimit?: number;
}

const names: { readonly [Name in keyof WorkerFitOptions]-?: 1 } = {
  batchSize: 1,
  epochs: 1,
  initialEpoch: 1,
  shuffle: 1,
  seed: 1,
  validationData: 1,
  validationSplit: 1,
  validationFreq: 1,
  validationBatchSize: 1,
  validationSteps: 1,
  sampleWeight: 1,
  classWeight: 1,
  stepsPerEpoch: 1,
  callbacks: 1,
  signal: 1,
  onNaN: 1,
  timeLimit: 1,
  ...hooks,
};

type Ask = <T>(op: string, args: unknown, sending?: Sending) => Promise<T>;

/** Plain data alone can go to a worker. */
export function compile(ask: Ask, given: unknown): Promise<void> {
  return ask('compile', checkClonable(optionsOf(given as object), 'the options of compile'));
}

const isBatches = (x: unknown): boolean =>
  typeof x === 'function' ||
  (typeof x === 'object' && x !== null && ('next' in x || Symbol.asyncIterator in x));

const treeOf = (given: unknown): WireTree | null =>
  given === undefined || given === null ? null : toTree(given);

function validationOf(given: unknown): readonly (WireTree | null)[] | null {
  if (given === undefined) return null;
  if (Array.isArray(given) && (given.length === 2 || given.length === 3)) return given.map(treeOf);
  throw new ValueError('validationData of a worker is [x, y] or [x, y, sampleWeight]');
}

function callbacksOf(given: unknown): WireFit['made'] {
  if (given !== undefined && !isPlain(given)) {
    throw new ValueError(
      'callbacks cannot go to a worker; name those that it is to make, { earlyStopping: { patience: 2 } }, and hear onEpochEnd',
    );
  }
  const chosen = known(given as object | undefined, made);
  return Object.entries(chosen).map(([name, settings]) => [
    name as Made,
    checkClonable(settings ?? {}, name) as object,
  ]);
}

function wireOf(x: unknown, y: unknown, given: WorkerFitOptions, told: readonly Hook[]): WireFit {
  if (isBatches(x)) {
    throw new ValueError('batches cannot go to a worker; give rows: fit(x, y)');
  }
  const { sampleWeight, validationData, callbacks, signal: _, timeLimit: __, ...rest } = given;
  for (const name of told) delete rest[name];
  return {
    x: toTree(x),
    y: treeOf(y),
    sampleWeight: treeOf(sampleWeight),
    validation: validationOf(validationData),
    options: checkClonable(rest, 'the options of fit') as object,
    told,
    made: callbacksOf(callbacks),
  };
}

/** What hooks throw, or fail with later, ends the training; the worker does not wait for them. */
function heard(given: WorkerFitOptions, control: AbortController): (event: TrainingEvent) => void {
  return ({ event, args }) => {
    if (control.signal.aborted) return;
    try {
      const later = (given[event] as (...args: readonly unknown[]) => unknown)(...args);
      Promise.resolve(later).catch((error: unknown) => control.abort(error));
    } catch (error) {
      control.abort(error);
    }
  };
}

/** See `fit` of RemoteModel. */
export async function fit(
  ask: Ask,
  x: unknown,
  y: unknown,
  options: WorkerFitOptions | undefined,
): Promise<History> {
  const given = known(options, names);
  const { signal, timeLimit } = given;
  checkSignal(signal);
  const told = (Object.keys(hooks) as Hook[]).filter((name) => given[name] !== undefined);
  for (const name of told) callable(given[name], name);
  const args = wireOf(x, y, given, told);
  const control = new AbortController();
  const stop = (): void => control.abort(signal?.reason);
  signal?.addEventListener('abort', stop);
  try {
    return await ask<History>('fit', args, {
      signal: control.signal,
      timeLimit,
      transfer: buffersOf([args]),
      onProgress: heard(given, control),
    });
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}
