// SPDX-License-Identifier: MIT
// The part that earlyStopping, modelCheckpoint and reduceLROnPlateau share: which metric, and which
// direction is better.
import { refuse, checkText } from '../../base/check.js';
import { ConfigError, ValueError } from '../../base/errors.js';
import { visibleMessage, warn } from '../../base/visible.js';
import { compiledOf } from '../compiled.js';
import type { Logs } from '../../model/train_options.js';
import { Callback } from './callback.js';

/** Options of callbacks that monitor a metric. */
export interface MonitorOptions {
  /** Name of a loss or metric in the logs. Default: 'val_loss'. */
  monitor?: string;
  /**
   * Whether smaller ('min') or larger ('max') is better. 'auto' (default) decides for Keras's
   * names.
   */
  mode?: 'auto' | 'min' | 'max';
  /** Smallest change that counts as an improvement. Default: 0; for reduceLROnPlateau 1e-4. */
  minDelta?: number;
}

const kMoreIsBetter =
  /accuracy|^acc$|precision|recall|sensitivity|specificity|^auc|f1_|f_?beta|io_?u$|r2_|cosine_similarity|correlation/;
const kUnknown = /positives|negatives|^mean$|^sum$/;

/** Base class of callbacks that compare a metric of each epoch with the best value so far. */
export class Monitor extends Callback {
  /** Name of the monitored loss or metric. */
  readonly monitor: string;
  readonly #mode: 'auto' | 'min' | 'max';
  readonly #minDelta: number;
  #sign: 1 | -1 | undefined;
  /** Best value so far. */
  best: number | null = null;
  #hasWarned = false;

  constructor({ monitor = 'val_loss', mode = 'auto', minDelta = 0 }: MonitorOptions) {
    super();
    checkText(monitor, 'monitor');
    if (!['auto', 'min', 'max'].includes(mode)) {
      refuse('mode', "'auto', 'min' or 'max'", mode, ConfigError);
    }
    if (typeof minDelta !== 'number') refuse('minDelta', 'a number', minDelta, ConfigError);
    this.monitor = monitor;
    this.#mode = mode;
    this.#minDelta = Math.abs(minDelta);
  }

  /** Returns 1 if larger is better, otherwise -1. Metrics are known after the first batch. */
  #direction(): 1 | -1 {
    if (this.#mode !== 'auto') return this.#mode === 'max' ? 1 : -1;
    const name = this.monitor.replace(/^val_/, '');
    if (name === 'loss') return -1;
    for (const output of compiledOf(this.model, 'fit').objective.measured) {
      if (name === `${output.name}_loss`) return -1;
      for (const metric of [...output.metrics, ...output.weighted]) {
        const names = [name, name.replace(`${output.name}_`, '')].map((item) =>
          item.replace(/^weighted_/, ''),
        );
        if (!names.includes(metric.name) || !metric.kind || kUnknown.test(metric.kind)) continue;
        return kMoreIsBetter.test(metric.kind) ? 1 : -1;
      }
    }
    throw new ValueError(
      `${this.constructor.name} does not know whether a smaller or larger '${this.monitor}' is better; set mode: 'min' or 'max'`,
    );
  }

  /** Returns the value of this epoch; null, with a warning, if the logs do not have it. */
  protected current(logs: Logs): number | null {
    const value = Object.hasOwn(logs, this.monitor) ? logs[this.monitor] : undefined;
    if (typeof value === 'number') return value;
    if (!this.#hasWarned) {
      warn(
        `'${this.monitor}' is ${value ? 'not a single number' : 'missing'}; the logs have ${Object.keys(logs).join(', ')}`,
      );
    }
    this.#hasWarned = true;
    return null;
  }

  /** Returns whether a value is better than the reference. */
  protected improves(value: number, reference: number | null): boolean {
    this.#sign ??= this.#direction();
    if (reference === null) return true;
    const least = this.#sign * this.#minDelta;
    return this.#sign === 1 ? value - least > reference : value - least < reference;
  }

  /** Prints a message if `verbose` is above 0. */
  protected print(message: string, verbose: number): void {
    if (verbose > 0) console.log(visibleMessage(message));
  }
}
