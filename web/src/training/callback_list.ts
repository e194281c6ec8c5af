// SPDX-License-Identifier: MIT
// The callbacks of one call of `fit`, `evaluate` or `predict`, in which events, promises and
// Keras's two names of an event meet.
import { unlessAborted } from '../base/abort.js';
import {
  checkOptions,
  checkSynchronous,
  ignorePromise,
  isPlain,
  isPromise,
  refuse,
} from '../base/check.js';
import { ValueError } from '../base/errors.js';
import type { LayerOutputs } from '../layers/args.js';
import type { Layer } from '../layers/layer.js';
import type { Evaluation } from '../measures/evaluation.js';
import type {
  CallbackOptions,
  Logs,
  TrainingCallback,
  TrainingParams,
} from '../model/train_options.js';
import { Callback, listensTo } from './callbacks/callback.js';
import { progressBar } from './callbacks/progress_bar.js';
import { callbacksIn } from './callbacks_in.js';

type Event = Exclude<keyof TrainingCallback, 'setModel' | 'setParams'>;

/** Keras's other names of events; a callback that has one is notified by it. */
const otherNames: { readonly [Name in Event]?: Event } = {
  onBatchBegin: 'onTrainBatchBegin',
  onBatchEnd: 'onTrainBatchEnd',
};

/** A callback, and its method for an event. */
type Listener = readonly [TrainingCallback, Event];

/** Callbacks, notified in their order. */
export class CallbackList {
  readonly #callbacks: readonly TrainingCallback[];
  readonly #listeners = new Map<Event, readonly Listener[]>();

  constructor(
    callbacks: readonly TrainingCallback[],
    readonly signal?: AbortSignal,
  ) {
    for (const callback of callbacks) {
      if (typeof callback !== 'object' || callback === null || Array.isArray(callback)) {
        refuse(
          'a callback',
          'an object: callbacks.earlyStopping(), or { onEpochEnd() { … } }',
          callback,
        );
      }
      checkEvents(callback);
    }
    this.#callbacks = callbacks;
  }

  /** Passes parameters and model to the callbacks. */
  begin(model: Layer, params: TrainingParams): void {
    for (const callback of this.#callbacks) {
      checkSynchronous(callback.setParams?.(params), 'setParams() of a callback');
      checkSynchronous(callback.setModel?.(model as never), 'setModel() of a callback');
    }
  }

  #listenersOf(event: Event): readonly Listener[] {
    let listeners = this.#listeners.get(event);
    if (!listeners) {
      const names = [otherNames[event] ?? event, event];
      listeners = this.#callbacks.flatMap((callback) => {
        const name = names.find((each) => listensTo(callback, each));
        return name ? [[callback, name] as const] : [];
      });
      this.#listeners.set(event, listeners);
    }
    return listeners;
  }

  /** Returns whether a callback listens to the event. */
  hasListeners(event: Event): boolean {
    return this.#listenersOf(event).length > 0;
  }

  /** Notifies the callbacks one after the other, and waits for promises. */
  async notify(
    event: Event,
    ...args: readonly (number | Evaluation | BatchOutputs)[]
  ): Promise<void> {
    const own = copies(args);
    for (const [callback, name] of this.#listenersOf(event)) {
      const result = call(callback, name, own);
      if (isPromise(result)) await unlessAborted(Promise.resolve(result), this.signal);
    }
  }

  /** Notifies the callbacks in a call that cannot wait. Throws ValueError for a promise. */
  notifyNow(event: Event, ...args: readonly (number | Evaluation | BatchOutputs)[]): void {
    const own = copies(args);
    for (const [callback, name] of this.#listenersOf(event)) {
      if (!ignorePromise(call(callback, name, own))) continue;
      throw new ValueError(
        `${name}() of a callback returned a Promise, for which a call with rows does not wait; make it synchronous, or pass batches: () => [x], or () => [[x, y]] for evaluate`,
      );
    }
  }
}

/** Sorts names alphabetically, as Keras does. */
export const sortByName = (logs: Evaluation): Logs =>
  Object.fromEntries(Object.entries(logs).sort(([a], [b]) => (a < b ? -1 : 1))) as Logs;

/** Returns the callbacks of `evaluate` or `predict`, which know the model and the parameters. */
export function callbacksFor(
  model: Layer,
  options: CallbackOptions,
  steps: number | null,
  signal?: AbortSignal,
): CallbackList {
  const { verbose = 0 } = options;
  if (![0, 1, 2].includes(verbose)) refuse('verbose', '0, 1 or 2', verbose);
  const list = new CallbackList(
    [...callbacksIn(options), ...(verbose ? [progressBar()] : [])],
    signal,
  );
  list.begin(model, { epochs: 1, steps, verbose });
  return list;
}

type BatchOutputs = { readonly outputs: LayerOutputs };

const call = (callback: TrainingCallback, name: Event, args: readonly unknown[]): unknown =>
  (callback[name] as (...args: readonly unknown[]) => unknown)(...args);

/**
 * As in Keras, callbacks share a copy of the logs, to which they may add numbers. An event without
 * logs has empty ones.
 */
const copies = (args: readonly unknown[]): unknown[] => {
  const copied = args.map((arg) => (isPlain(arg) ? { ...arg } : arg));
  return typeof copied.at(-1) === 'object' ? copied : [...copied, {}];
};

const events: { readonly [Name in Event]: 1 } = {
  onTrainBegin: 1,
  onTrainEnd: 1,
  onEpochBegin: 1,
  onEpochEnd: 1,
  onBatchBegin: 1,
  onBatchEnd: 1,
  onTrainBatchBegin: 1,
  onTrainBatchEnd: 1,
  onTestBegin: 1,
  onTestEnd: 1,
  onTestBatchBegin: 1,
  onTestBatchEnd: 1,
  onPredictBegin: 1,
  onPredictEnd: 1,
  onPredictBatchBegin: 1,
  onPredictBatchEnd: 1,
};

/** Throws ConfigError for a method that is named like an event, but is not one. */
function checkEvents(callback: object): void {
  const methods: { [name: string]: unknown } = {};
  for (
    let owner = callback;
    owner !== null && owner !== Object.prototype && owner !== Callback.prototype;
    owner = Object.getPrototypeOf(owner)
  ) {
    for (const name of Object.getOwnPropertyNames(owner)) {
      if (/^on[A-Z_]/.test(name)) methods[name] = 1;
    }
  }
  checkOptions(methods, events);
}
