// SPDX-License-Identifier: MIT
// The callback `callbacks.earlyStopping`. monitor.ts decides what is better, and weight_values.ts
// copies the best weights.
import { checkOptions, checkInteger } from '../../base/check.js';
import type { Logs } from '../../model/train_options.js';
import { copyWeights, type WeightValues } from './weight_values.js';
import { Monitor, type MonitorOptions } from './monitor.js';

/** Options of {@link EarlyStopping}. */
export interface EarlyStoppingOptions extends MonitorOptions {
  /** Number of epochs without improvement after which training ends. Default: 0. */
  patience?: number;
  /** Only values better than this restart the count. Default: any improvement does. */
  baseline?: number;
  /** Whether to restore the weights of the best epoch at the end. Default: false. */
  restoreBestWeights?: boolean;
  /** First epoch that counts, from 0. Default: 0. */
  startFromEpoch?: number;
  /** 1: prints when it stops training. Default: 0. */
  verbose?: 0 | 1;
}

/** Ends training when a metric no longer improves, like Keras's EarlyStopping. */
export class EarlyStopping extends Monitor {
  readonly #options: EarlyStoppingOptions;
  #wait = 0;
  #bestWeights: WeightValues | null = null;
  /** Epoch after which training was stopped; 0 if it was not. */
  stoppedEpoch = 0;
  /** Epoch with the best value. */
  bestEpoch = 0;

  constructor(options: EarlyStoppingOptions = {}) {
    const checked = checkOptions<EarlyStoppingOptions>(options, {
      monitor: 1,
      mode: 1,
      minDelta: 1,
      patience: 1,
      baseline: 1,
      restoreBestWeights: 1,
      startFromEpoch: 1,
      verbose: 1,
    });
    super(checked);
    for (const name of ['patience', 'startFromEpoch'] as const) {
      if (checked[name] !== undefined) checkInteger(name, checked[name], 0);
    }
    this.#options = checked;
  }

  /** Restarts the count and forgets the best value. */
  override onTrainBegin(): void {
    this.#wait = 0;
    this.stoppedEpoch = 0;
    this.best = null;
    this.bestEpoch = 0;
    this.#bestWeights = null;
  }

  /** Ends training after `patience` epochs without improvement. */
  override onEpochEnd(epoch: number, logs: Logs): void {
    const { patience = 0, baseline, restoreBestWeights, startFromEpoch = 0 } = this.#options;
    const value = this.current(logs);
    if (value === null || epoch < startFromEpoch) return;
    if (restoreBestWeights && !this.#bestWeights) this.#keep(epoch);
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
    this.#bestWeights = copyWeights(this.model);
    this.bestEpoch = epoch;
  }

  /** Restores the best weights with `restoreBestWeights`. */
  override onTrainEnd(): void {
    const { verbose = 0 } = this.#options;
    if (this.stoppedEpoch > 0)
      this.print(`Epoch ${this.stoppedEpoch + 1}: early stopping`, verbose);
    if (!this.#bestWeights) return;
    this.print(
      `Restoring model weights from the end of the best epoch: ${this.bestEpoch + 1}.`,
      verbose,
    );
    this.model.setWeights(this.#bestWeights);
    this.#bestWeights = null;
  }
}
