// SPDX-License-Identifier: MIT
import type { History, Logs, TrainingParams } from '../../model/train_options.js';
import { Callback } from './callback.js';

/** Keeps what each epoch came to. */
export class HistoryCallback extends Callback implements History {
  readonly history = {} as { [name: string]: (number | number[])[] } & { loss: number[] };
  readonly epoch: number[] = [];
  declare params: TrainingParams;

  // (The history outlives the model.)
  override setModel(): void {}

  override onEpochEnd(epoch: number, logs: Logs): void {
    this.epoch.push(epoch);
    for (const [name, value] of Object.entries(logs)) {
      this.history[name] ??= [];
      this.history[name].push(value);
    }
  }
}
