// SPDX-License-Identifier: MIT
// The callback `callbacks.modelCheckpoint`, with Python's format of numbers in paths.
import { checkOptions, refuse, checkInteger } from '../../base/check.js';
import { ConfigError, ValueError } from '../../base/errors.js';
import type { Logs } from '../../model/train_options.js';
import { Monitor, type MonitorOptions } from './monitor.js';

/** Receives the bytes of a file. */
export type Sink = (
  bytes: Uint8Array,
  at: { epoch: number; batch: number | null; logs: Logs },
) => unknown;

/** Options of {@link ModelCheckpoint}. */
export interface ModelCheckpointOptions extends Omit<MonitorOptions, 'minDelta'> {
  /** Whether to save only if the monitored metric improves. Default: false. */
  saveBestOnly?: boolean;
  /** Whether to save only the weights, as `.weights.h5`. Default: false. */
  saveWeightsOnly?: boolean;
  /** 'epoch' (default), or the number of batches between checkpoints. */
  saveFreq?: 'epoch' | number;
  /** Best value so far; with `saveBestOnly`, only better ones are saved. */
  initialValueThreshold?: number;
  /** 1: prints when it saves. Default: 0. */
  verbose?: 0 | 1;
}

const kField = /\{(\w+)(?::([^}]*))?\}/g;
const kMaxDigits = 100;
const kSpec = /^(?<fill>0?)(?<width>\d*)(?:d?|(?:\.(?<digits>\d+))?(?<kind>[fe]))$/;

/**
 * Returns a function that formats numbers like Python: 02d, .2f, .3e. Throws ConfigError for
 * others.
 */
function formatOf(spec: string): (value: number) => string {
  const groups = kSpec.exec(spec)?.groups;
  const { fill, width = '', digits = '6', kind } = groups ?? {};
  const places = Number(digits);
  if (!groups || places > kMaxDigits || Number(width) > kMaxDigits) {
    const needed = `one such as 02d, .2f or .3e, with at most ${kMaxDigits} digits`;
    refuse('the form of a number in the path', needed, spec, ConfigError);
  }
  const text = (value: number): string => {
    if (kind === 'f') return value.toFixed(places);
    // In Python, an exponent has two digits.
    if (kind === 'e') return value.toExponential(places).replace(/(?<=e[+-])\d$/, '0$&');
    return `${value}`;
  };
  // Python writes zeros after the sign, and spaces before it.
  const wide = Number(width);
  return (value) => {
    const [, sign = '', rest = ''] = /^(-?)(.*)$/s.exec(text(value)) ?? [];
    return fill ? sign + rest.padStart(wide - sign.length, '0') : text(value).padStart(wide);
  };
}

/**
 * Saves the model during training: to a path in Node, as a download on a page, or to a function.
 */
export class ModelCheckpoint extends Monitor {
  readonly #to: string | Sink;
  readonly #options: ModelCheckpointOptions;
  #epoch = 0;
  #batches = 0;

  /**
   * @param to A path, in which {epoch:02d} and {val_loss:.2f} are replaced by numbers, or a
   * function that receives the bytes.
   */
  constructor(to: string | Sink, options: ModelCheckpointOptions = {}) {
    const checked = checkOptions<ModelCheckpointOptions>(options, {
      monitor: 1,
      mode: 1,
      saveBestOnly: 1,
      saveWeightsOnly: 1,
      saveFreq: 1,
      initialValueThreshold: 1,
      verbose: 1,
    });
    super(checked);
    const { saveFreq = 'epoch', saveWeightsOnly = false } = checked;
    if (saveFreq !== 'epoch') checkInteger('saveFreq', saveFreq, 1, " (or 'epoch')");
    if (typeof to === 'string') {
      const ending = saveWeightsOnly ? '.weights.h5' : '.keras';
      if (!to.endsWith(ending)) refuse('the path', `one that ends in ${ending}`, to, ConfigError);
      for (const [, , spec = ''] of to.matchAll(kField)) formatOf(spec);
    } else if (typeof to !== 'function') {
      refuse(
        'the first argument of modelCheckpoint',
        "a path or a function: callbacks.modelCheckpoint('model.keras')",
        to,
        ConfigError,
      );
    }
    this.#to = to;
    this.#options = checked;
    this.best = checked.initialValueThreshold ?? null;
  }

  /** Stores the number of the epoch for the path. */
  override onEpochBegin(epoch: number): void {
    this.#epoch = epoch;
  }

  /** Saves after every `saveFreq` batches, if that is a number. */
  override async onBatchEnd(batch: number, logs: Logs): Promise<void> {
    const { saveFreq = 'epoch' } = this.#options;
    if (saveFreq === 'epoch' || ++this.#batches < saveFreq) return;
    this.#batches = 0;
    await this.#save(batch, logs);
  }

  /** Saves, unless `saveFreq` is a number. */
  override async onEpochEnd(_epoch: number, logs: Logs): Promise<void> {
    if ((this.#options.saveFreq ?? 'epoch') === 'epoch') await this.#save(null, logs);
  }

  #isDue(logs: Logs, path: string): boolean {
    const { saveBestOnly, verbose = 0 } = this.#options;
    const where = `Epoch ${this.#epoch + 1}:`;
    const value = saveBestOnly ? this.current(logs) : null;
    if (value === null) {
      this.print(`\n${where} saving model to ${path}`, verbose);
      return true;
    }
    const before = this.best === null ? 'None' : this.best.toFixed(5);
    if (!this.improves(value, this.best)) {
      this.print(`\n${where} ${this.monitor} did not improve from ${before}`, verbose);
      return false;
    }
    this.print(
      `\n${where} ${this.monitor} improved from ${before} to ${value.toFixed(5)}, saving model to ${path}`,
      verbose,
    );
    this.best = value;
    return true;
  }

  #path(batch: number | null, logs: Logs): string {
    if (typeof this.#to !== 'string') return 'a function';
    const numbers: Logs = {
      ...logs,
      epoch: this.#epoch + 1,
      ...(batch !== null && { batch: batch + 1 }),
    };
    return this.#to.replace(kField, (_, name: string, spec = '') => {
      const value = Object.hasOwn(numbers, name) ? numbers[name] : undefined;
      if (typeof value === 'number') return formatOf(spec)(value);
      throw new ValueError(
        `the path of a checkpoint has {${name}}, which is not among the numbers ${Object.keys(numbers).join(', ')}; use one of these`,
      );
    });
  }

  async #save(batch: number | null, logs: Logs): Promise<void> {
    const path = this.#path(batch, logs);
    if (!this.#isDue(logs, path)) return;
    const { model } = this;
    const name = typeof this.#to === 'string' ? [path] : [];
    const bytes = this.#options.saveWeightsOnly
      ? await model.saveWeights(...name)
      : await model.save(...name);
    if (typeof this.#to === 'function') await this.#to(bytes, { epoch: this.#epoch, batch, logs });
  }
}
