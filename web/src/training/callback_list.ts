// SPDX-License-Identifier: MIT
import { isPromise, checkOptions, refuse, checkSynchronous } from '../base/check.js';
import type { Layer } from '../layers/layer.js';
import type { Logs, TrainingCallback, TrainingParams } from '../model/train_options.js';
import { Callback, isIdle } from './callbacks/callback.js';
import { unlessAborted } from './pace.js';

type Event = Exclude<keyof TrainingCallback, 'setModel' | 'setParams'>;

/** Callbacks in their order. */
export class CallbackList {
  readonly #callbacks: readonly TrainingCallback[];
  readonly #listening = new Map<Event, readonly TrainingCallback[]>();

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

  begin(model: Layer, params: TrainingParams): void {
    for (const callback of this.#callbacks) {
      checkSynchronous(callback.setParams?.(params), 'setParams() of a callback');
      checkSynchronous(callback.setModel?.(model as never), 'setModel() of a callback');
    }
  }

  #of(event: Event): readonly TrainingCallback[] {
    let found = this.#listening.get(event);
    if (!found) {
      found = this.#callbacks.filter((callback) => !isIdle(callback, event));
      this.#listening.set(event, found);
    }
    return found;
  }

  /** Is somebody told? */
  hears(event: Event): boolean {
    return this.#of(event).length > 0;
  }

  /** One after the other; promises are waited for. */
  async tell(event: Event, ...args: readonly (number | Logs)[]): Promise<void> {
    for (const callback of this.#of(event)) {
      const told = (callback[event] as (...args: unknown[]) => unknown)(...args);
      if (isPromise(told)) await unlessAborted(Promise.resolve(told), this.signal);
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
  onTestBegin: 1,
  onTestEnd: 1,
  onTestBatchBegin: 1,
  onTestBatchEnd: 1,
};

/** A misspelt event would never come. */
function checkEvents(callback: object): void {
  const named: { [name: string]: unknown } = {};
  for (
    let at = callback;
    at !== null && at !== Object.prototype && at !== Callback.prototype;
    at = Object.getPrototypeOf(at)
  ) {
    for (const name of Object.getOwnPropertyNames(at)) if (/^on[A-Z]/.test(name)) named[name] = 1;
  }
  checkOptions(named, events);
}
