// SPDX-License-Identifier: MIT
import { unlessAborted } from '../base/abort.js';
import { isPromise, checkOptions, refuse, checkSynchronous } from '../base/check.js';
import type { Layer } from '../layers/layer.js';
import type { Logs, TrainingCallback, TrainingParams } from '../model/train_options.js';
import { Callback, listensTo } from './callbacks/callback.js';

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
  async notify(event: Event, ...args: readonly (number | Logs)[]): Promise<void> {
    for (const [callback, name] of this.#listenersOf(event)) {
      const result = (callback[name] as (...args: unknown[]) => unknown)(...args);
      if (isPromise(result)) await unlessAborted(Promise.resolve(result), this.signal);
    }
  }
}

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
      if (/^on[A-Z]/.test(name)) methods[name] = 1;
    }
  }
  checkOptions(methods, events);
}
