// SPDX-License-Identifier: MIT
// The callback `callbacks.reduceLROnPlateau`. monitor.ts decides what is better.
import { checkOptions, refuse, checkInteger } from '../../base/check.js';
import { ConfigError } from '../../base/errors.js';
import type { Logs } from '../../model/train_options.js';
import { Monitor, type MonitorOptions } from './monitor.js';

/** Options of {@link ReduceLROnPlateau}. */
export interface ReduceLROnPlateauOptions extends MonitorOptions {
  /** Factor of a reduction, from 0 to less than 1. Default: 0.1. */
  factor?: number;
  /** Number of epochs without improvement before a reduction. Default: 10. */
  patience?: number;
  /** Number of epochs after a reduction that do not count. Default: 0. */
  cooldown?: number;
  /** Lower limit of the learning rate. Default: 0. */
  minLr?: number;
  /** 1: prints reductions. Default: 0. */
  verbose?: 0 | 1;
}

/**
 * Reduces the learning rate when a metric no longer improves. Adds `learning_rate` to the history.
 */
export class ReduceLROnPlateau extends Monitor {
  readonly #options: ReduceLROnPlateauOptions;
  #wait = 0;
  #cooldown = 0;

  constructor(options: ReduceLROnPlateauOptions = {}) {
    const checked = checkOptions<ReduceLROnPlateauOptions>(options, {
      monitor: 1,
      mode: 1,
      minDelta: 1,
      factor: 1,
      patience: 1,
      cooldown: 1,
      minLr: 1,
      verbose: 1,
    });
    super({ ...checked, minDelta: checked.minDelta ?? 1e-4 });
    const { factor = 0.1, patience = 10, cooldown = 0, minLr = 0 } = checked;
    if (typeof factor !== 'number' || !(factor >= 0 && factor < 1))
      refuse('factor', '0 or more, less than 1', factor, ConfigError);
    if (typeof minLr !== 'number') refuse('minLr', 'a number', minLr, ConfigError);
    checkInteger('patience', patience, 0);
    checkInteger('cooldown', cooldown, 0);
    this.#options = checked;
  }

  /** Restarts the count and forgets the best value. */
  override onTrainBegin(): void {
    this.best = null;
    this.#wait = 0;
    this.#cooldown = 0;
  }

  /** Adds `learning_rate` to the logs. Reduces it after `patience` epochs without improvement. */
  override onEpochEnd(epoch: number, logs: Logs): void {
    const { patience = 10 } = this.#options;
    logs['learning_rate'] = this.model.optimizer.learningRate;
    const value = this.current(logs);
    if (value === null) return;
    if (this.#cooldown > 0) {
      this.#cooldown--;
      this.#wait = 0;
    }
    if (this.improves(value, this.best)) {
      this.best = value;
      this.#wait = 0;
    } else if (this.#cooldown === 0 && ++this.#wait >= patience) {
      this.#reduce(epoch);
    }
  }

  #reduce(epoch: number): void {
    const { factor = 0.1, cooldown = 0, minLr = 0, verbose = 0 } = this.#options;
    const { optimizer } = this.model;
    const before = optimizer.learningRate;
    if (!(before > Math.fround(minLr))) return;
    optimizer.learningRate = Math.max(before * factor, minLr);
    this.#cooldown = cooldown;
    this.#wait = 0;
    this.print(
      `\nEpoch ${epoch + 1}: ReduceLROnPlateau reducing learning rate to ${optimizer.learningRate}.`,
      verbose,
    );
  }
}
