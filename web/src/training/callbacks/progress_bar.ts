// SPDX-License-Identifier: MIT
// The callback `callbacks.progressBar`; `verbose` of `fit`, `evaluate` and `predict` adds it, too.
import { checkFunction } from '../../base/check.js';
import { visible } from '../../base/visible.js';
import type { Logs } from '../../model/train_options.js';
import { Callback } from './callback.js';

/** Progress of training, `evaluate` or `predict`; `value` and `max` fit an element `<progress>`. */
export interface TrainingProgress {
  /** Current epoch, from 0. */
  readonly epoch: number;
  /** The option `epochs` of `fit`. */
  readonly epochs: number;
  /** Batches of this epoch that are done. */
  readonly batch: number;
  /** Batches of an epoch; null while unknown. */
  readonly batches: number | null;
  /** Batches of all epochs that are done. */
  readonly value: number;
  /** Batches of all epochs; null while unknown. */
  readonly max: number | null;
  /** Mean milliseconds of a batch. */
  readonly perBatch: number;
  /** Means since the start of the epoch. */
  readonly logs: Logs;
}

const kWidth = 20;
/** Least milliseconds between two updates of the terminal. */
const kPause = 50;

const kNoLogs = {} as Logs;

interface Terminal {
  write(text: string): unknown;
  readonly isTTY?: boolean;
}

const terminal = (): Terminal | undefined =>
  (globalThis as { process?: { stdout?: Terminal } }).process?.stdout;

function duration(milliseconds: number, unit = ''): string {
  const seconds = milliseconds / 1000;
  if (seconds >= 1 || seconds === 0) return `${seconds.toFixed(0)}s${unit}`;
  if (seconds >= 1e-3) return `${milliseconds.toFixed(0)}ms${unit}`;
  return `${(seconds * 1e6).toFixed(0)}us${unit}`;
}

const numbers = (logs: Logs): string =>
  Object.entries(logs)
    .map(([name, value]) => {
      const mean = [value].flat().reduce((sum, x, _, all) => sum + x / all.length, 0);
      return ` - ${visible(name)}: ${Math.abs(mean) > 1e-3 ? mean.toFixed(4) : mean.toExponential(4)}`;
    })
    .join('');

/** Prints a progress bar like Keras's, or passes the progress to a function. */
export class ProgressBar extends Callback {
  readonly #report: ((progress: TrainingProgress) => unknown) | undefined;
  /** Whether `fit` is running, whose validation is not shown. */
  #isTraining = false;
  #epoch = 0;
  #first = 0;
  #batch = 0;
  #began = 0;
  #shown = 0;
  #batches: number | null = null;

  constructor(report?: (progress: TrainingProgress) => unknown) {
    super();
    if (report !== undefined) checkFunction(report, 'the argument of progressBar()');
    this.#report = report;
  }

  /** Starts the count of epochs. */
  override onTrainBegin(): void {
    this.#isTraining = true;
    this.#batches = this.params.steps;
    this.#first = -1;
  }

  /** Ends the count of epochs. */
  override onTrainEnd(): void {
    this.#isTraining = false;
  }

  /** Prints the number of the epoch, if there are several. */
  override onEpochBegin(epoch: number): void {
    if (this.#first < 0) this.#first = epoch;
    this.#begin(epoch);
    const { epochs } = this.params;
    if (!this.#report && epochs > 1) this.#print(`Epoch ${epoch + 1}/${epochs}\n`);
  }

  /** Starts the count of batches, unless `fit` validates. */
  override onTestBegin(): void {
    if (!this.#isTraining) this.onPredictBegin();
  }

  /** Starts the count of batches. */
  override onPredictBegin(): void {
    this.#batches = this.params.steps;
    this.#first = 0;
    this.#begin(0);
  }

  #begin(epoch: number): void {
    this.#epoch = epoch;
    this.#batch = 0;
    this.#began = performance.now();
    this.#shown = 0;
  }

  /** Reports the progress; prints only to a terminal. */
  override onBatchEnd(batch: number, logs: Logs): unknown {
    this.#batch = batch + 1;
    if (this.#report) return this.#report(this.#progress(logs));
    const now = performance.now();
    const { isTTY = false } = terminal() ?? {};
    if (!isTTY || this.params.verbose === 2 || now - this.#shown < kPause) return undefined;
    this.#shown = now;
    this.#print(`\r${this.#line(logs, false)}\x1b[K`);
    return undefined;
  }

  /** Reports the progress of `evaluate`. */
  override onTestBatchEnd(batch: number, logs: Logs): unknown {
    return this.#isTraining ? undefined : this.onBatchEnd(batch, logs);
  }

  /** Reports the progress of `predict`. */
  override onPredictBatchEnd(batch: number): unknown {
    return this.onBatchEnd(batch, kNoLogs);
  }

  /** Reports the progress, or prints the finished line of the epoch. */
  override onEpochEnd(_epoch: number, logs: Logs): unknown {
    this.#batches ??= this.#batch;
    if (this.#report) return this.#report(this.#progress(logs));
    const live = terminal()?.isTTY && this.params.verbose !== 2;
    this.#print(`${live ? '\r' : ''}${this.#line(logs, true)}${live ? '\x1b[K' : ''}\n`);
    return undefined;
  }

  /** Reports the end of `evaluate`. */
  override onTestEnd(logs: Logs): unknown {
    return this.#isTraining ? undefined : this.onEpochEnd(0, logs);
  }

  /** Reports the end of `predict`. */
  override onPredictEnd(): unknown {
    return this.onEpochEnd(0, kNoLogs);
  }

  #progress(logs: Logs): TrainingProgress {
    const { epochs } = this.params;
    const [epoch, batch, batches] = [this.#epoch, this.#batch, this.#batches];
    const perBatch = (performance.now() - this.#began) / Math.max(batch, 1);
    const value = (batches ?? 0) * (epoch - this.#first) + batch;
    const max = batches === null ? null : batches * (epochs - this.#first);
    return { epoch, epochs, batch, batches, value, max, perBatch, logs };
  }

  #line(logs: Logs, done: boolean): string {
    const { batch, batches, perBatch } = this.#progress(logs);
    const count =
      batches === null
        ? `${batch}/Unknown`
        : `${`${batch}`.padStart(`${batches}`.length)}/${batches}`;
    const share = batches ? Math.min(1, batch / batches) : 0;
    const filled = Math.floor(kWidth * share);
    const bar =
      batches === null || this.params.verbose === 2
        ? ''
        : ` ${'━'.repeat(filled)}${'╺'.repeat(kWidth - filled)}`;
    const time = done || batches === null ? batch * perBatch : (batches - batch) * perBatch;
    return `${count}${bar} ${duration(Math.round(time / 1000) * 1000)} ${duration(perBatch, '/step')}${numbers(logs)}`;
  }

  #print(line: string): void {
    const out = terminal();
    if (out) out.write(line);
    // Removes the end of the line, because console.log adds one.
    else console.log(line.trimEnd());
  }
}

/** Creates a progress bar. */
export const progressBar = (report?: (progress: TrainingProgress) => unknown): ProgressBar =>
  new ProgressBar(report);
