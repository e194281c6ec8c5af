// SPDX-License-Identifier: MIT
// The callback `callbacks.learningRateScheduler`: a rate for each epoch. A schedule of the
// optimizer is for each step.
import { checkFunction, refuse } from '../../base/check.js';
import type { Logs } from '../../model/train_options.js';
import { Callback } from './callback.js';

/** Returns the learning rate of an epoch, from that of the previous epoch. */
export type Schedule = (epoch: number, learningRate: number) => number;

/** Sets the learning rate at the start of each epoch. Adds `learning_rate` to the history. */
export class LearningRateScheduler extends Callback {
  readonly #schedule: Schedule;

  constructor(schedule: Schedule) {
    super();
    checkFunction(schedule, 'the schedule');
    this.#schedule = schedule;
  }

  /**
   * Sets the learning rate. Throws ValueError if the schedule does not return a number of 0 or
   * more.
   */
  override onEpochBegin(epoch: number): void {
    const { optimizer } = this.model;
    const next: unknown = this.#schedule(epoch, optimizer.learningRate);
    if (typeof next !== 'number' || !(next >= 0)) {
      refuse('the result of the schedule', 'a number, 0 or more', next);
    }
    optimizer.learningRate = next;
  }

  /** Adds `learning_rate` to the logs. */
  override onEpochEnd(_epoch: number, logs: Logs): void {
    logs['learning_rate'] = this.model.optimizer.learningRate;
  }
}
