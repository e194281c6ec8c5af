// SPDX-License-Identifier: MIT
import { refuse, checkText } from '../../base/check.js';
import { ConfigError, ValueError } from '../../base/errors.js';
import { visibleMessage, warn } from '../../base/visible.js';
import { compiledOf } from '../compiled.js';
import type { Logs } from '../../model/train_options.js';
import { Callback } from './callback.js';

export interface MonitorOptions {
  /** The name of a loss or metric in the logs, default 'val_loss'. */
  monitor?: string;
  /** Is less better, or more? 'auto' (default) knows it of losses and of Keras's metrics. */
  mode?: 'auto' | 'min' | 'max';
  /** Changes that are smaller are no improvement. */
  minDelta?: number;
}

const kMoreIsBetter =
  /accuracy|^acc$|precision|recall|sensitivity|specificity|^auc|f1_|f_?beta|io_?u$|r2_|cosine_similarity|correlation/;
const kUnknown = /positives|negatives|^mean$|^sum$/;

/** A callback that compares a number of each epoch with the best so far. */
export class Monitor extends Callback {
  readonly monitor: string;
  readonly #mode: 'auto' | 'min' | 'max';
  readonly #minDelta: number;
  #sign: 1 | -1 | undefined;
  best: number | null = null;
  #told = false;

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

  /** 1 where more is better; known once batches have shown the metrics. */
  #direction(): 1 | -1 {
    if (this.#mode !== 'auto') return this.#mode === 'max' ? 1 : -1;
    const name = this.monitor.replace(/^val_/, '');
    if (name === 'loss') return -1;
    for (const output of compiledOf(this.model, 'fit').objective.measured) {
      if (name === `${output.name}_loss`) return -1;
      for (const metric of [...output.metrics, ...output.weighted]) {
        const plain = [name, name.replace(`${output.name}_`, '')].map((one) =>
          one.replace(/^weighted_/, ''),
        );
        if (!plain.includes(metric.name) || !metric.kind || kUnknown.test(metric.kind)) continue;
        return kMoreIsBetter.test(metric.kind) ? 1 : -1;
      }
    }
    throw new ValueError(
      `${this.constructor.name} cannot know whether less or more of '${this.monitor}' is better; say mode: 'min' or 'max'`,
    );
  }

  /** The number of this epoch; null, with a warning, where there is none. */
  protected current(logs: Logs): number | null {
    const value = Object.hasOwn(logs, this.monitor) ? logs[this.monitor] : undefined;
    if (typeof value === 'number') return value;
    if (!this.#told) {
      warn(
        `'${this.monitor}' is ${value ? 'no single number' : 'not there'}; there are ${Object.keys(logs).join(', ')}`,
      );
    }
    this.#told = true;
    return null;
  }

  protected improves(value: number, reference: number | null): boolean {
    this.#sign ??= this.#direction();
    if (reference === null) return true;
    const least = this.#sign * this.#minDelta;
    return this.#sign === 1 ? value - least > reference : value - least < reference;
  }

  protected say(message: string, verbose: number): void {
    if (verbose > 0) console.log(visibleMessage(message));
  }
}
