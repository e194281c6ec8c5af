// SPDX-License-Identifier: MIT
import { checkOptions, checkInteger } from '../../base/check.js';
import type { Logs } from '../../model/train_options.js';
import { copyWeights, type KeptWeights } from './kept_weights.js';
import { Monitor, type MonitorOptions } from './monitor.js';

export interface EarlyStoppingOptions extends MonitorOptions {
  /** Epochs without improvement after which training ends, default 0. */
  patience?: number;
  /** Only what is better than this begins the count anew. */
  baseline?: number;
  /** Ends with the weights of the best epoch. */
  restoreBestWeights?: boolean;
  /** Epochs before this one do not count. */
  startFromEpoch?: number;
  verbose?: 0 | 1;
}

/** Ends training when a number no longer becomes better. */
export class EarlyStopping extends Monitor {
  readonly #options: EarlyStoppingOptions;
  #wait = 0;
  #kept: KeptWeights | null = null;
  /** The epoch at which training was ended; 0: it was not. */
  stoppedEpoch = 0;
  bestEpoch = 0;

  constructor(options: EarlyStoppingOptions = {}) {
    const given = checkOptions<EarlyStoppingOptions>(options, {
      monitor: 1,
      mode: 1,
      minDelta: 1,
      patience: 1,
      baseline: 1,
      restoreBestWeights: 1,
      startFromEpoch: 1,
      verbose: 1,
    });
    super(given);
    for (const name of ['patience', 'startFromEpoch'] as const) {
      if (given[name] !== undefined) checkInteger(name, given[name], 0);
    }
    this.#options = given;
  }

  override onTrainBegin(): void {
    this.#wait = 0;
    this.stoppedEpoch = 0;
    this.best = null;
    this.bestEpoch = 0;
    this.#kept = null;
  }

  override onEpochEnd(epoch: number, logs: Logs): void {
    const { patience = 0, baseline, restoreBestWeights, startFromEpoch = 0 } = this.#options;
    const value = this.current(logs);
    if (value === null || epoch < startFromEpoch) return;
    if (restoreBestWeights && !this.#kept) this.#keep(epoch);
    this.#wait++;
    if (this.improves(value, this.best)) {
      this.best = value;
      if (restoreBestWeights) this.#keep(epoch);
      this.bestEpoch = epoch;
      if (baseline === undefined || this.improves(value, baseline)) this.#wait = 0;
      return;
    }
    if (this.#wait < patience || epoch === 0) return;
    this.stoppedEpoch = epoch;
    this.model.stopTraining = true;
  }

  #keep(epoch: number): void {
    this.#kept = copyWeights(this.model);
    this.bestEpoch = epoch;
  }

  override onTrainEnd(): void {
    const { verbose = 0 } = this.#options;
    if (this.stoppedEpoch > 0) this.say(`Epoch ${this.stoppedEpoch + 1}: early stopping`, verbose);
    if (!this.#kept) return;
    this.say(
      `Restoring model weights from the end of the best epoch: ${this.bestEpoch + 1}.`,
      verbose,
    );
    this.model.setWeights(this.#kept);
    this.#kept = null;
  }
}
