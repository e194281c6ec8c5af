// SPDX-License-Identifier: MIT
// The result of `fit`. It is itself a callback, as in Keras, and sees the numbers that earlier
// callbacks added.
import type { History, Logs, TrainingParams } from '../../model/train_options.js';
import { Callback } from './callback.js';

/** Records the numbers of each epoch. */
export class HistoryCallback extends Callback implements History {
  readonly history = {} as { [name: string]: (number | number[])[] } & { loss: number[] };
  readonly epoch: number[] = [];
  declare params: TrainingParams;

  // Does not keep the model alive: the history may outlive it.
  override setModel(): void {}

  override onEpochEnd(epoch: number, logs: Logs): void {
    this.epoch.push(epoch);
    for (const [name, value] of Object.entries(logs)) {
      this.history[name] ??= [];
      this.history[name].push(value);
    }
  }
}
