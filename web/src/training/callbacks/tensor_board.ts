// SPDX-License-Identifier: MIT
// The callback `callbacks.tensorBoard`. event_file.ts encodes the records.
import { checkInteger, checkOptions, refuse } from '../../base/check.js';
import { ConfigError, StateError, UnsupportedError } from '../../base/errors.js';
import { nodeModule } from '../../engine/node_module.js';
import type { Logs } from '../../model/train_options.js';
import { type AppendingFiles, appendWhole } from './append_whole.js';
import { Callback } from './callback.js';
import { scalarRecords, versionRecord } from './event_file.js';

interface Files extends AppendingFiles {
  mkdirSync(path: string, options: { recursive: true }): void;
}

/** Receives pieces of files in order. */
export type EventSink = (path: string, bytes: Uint8Array) => unknown;

/** Options of {@link TensorBoard}. */
export interface TensorBoardOptions {
  /**
   * When to write: 'epoch' after each epoch, 'batch' after each batch, a number after that number
   * of batches. Default: 'epoch'.
   */
  updateFreq?: 'epoch' | 'batch' | number;
}

/** Returns a function that appends to files of a folder. */
function folderSink(folder: string): EventSink {
  const files = nodeModule<Files>('node:fs');
  if (!files) {
    throw new UnsupportedError(
      `'${folder}' cannot be written because there is no disk; give a function that receives paths and bytes`,
    );
  }
  return (path, bytes) => {
    const whole = `${folder}/${path}`;
    try {
      files.mkdirSync(whole.slice(0, whole.lastIndexOf('/')), { recursive: true });
      files.appendFileSync(whole, '');
      appendWhole(files, whole, bytes);
    } catch (error) {
      throw new StateError(
        `tensorBoard cannot write '${whole}' (${(error as Error).message}); give another folder`,
      );
    }
  };
}

/** A file of one part of the training. */
class EventFile {
  #path: string | null = null;

  constructor(
    readonly part: 'train' | 'validation',
    readonly sink: EventSink,
  ) {}

  async write(step: number, logs: readonly (readonly [string, number])[]): Promise<void> {
    if (logs.length === 0) return;
    const seconds = Date.now() / 1000;
    if (this.#path === null) {
      // Readers find the files by this name, and read them in the order of their times.
      const { process } = globalThis as { process?: { pid?: number } };
      const unique = `${process?.pid ?? 0}.${Math.floor(Math.random() * 1e9)}`;
      this.#path = `${this.part}/events.out.tfevents.${Math.floor(seconds)}.maskflow.${unique}.v2`;
      await this.sink(this.#path, versionRecord(seconds));
    }
    await this.sink(this.#path, scalarRecords(seconds, step, logs));
  }
}

const kValidation = 'val_';

/** Writes the numbers of training as event files, which TensorBoard shows. */
export class TensorBoard extends Callback {
  readonly #sink: EventSink;
  readonly #every: number | null;
  #train: EventFile;
  #validation: EventFile;
  #step = 0;

  /** @param to A folder in Node, or a function that receives paths and pieces of files. */
  constructor(to: string | EventSink, options: TensorBoardOptions = {}) {
    super();
    const { updateFreq = 'epoch' } = checkOptions(options, { updateFreq: 1 });
    if (updateFreq !== 'epoch' && updateFreq !== 'batch') {
      checkInteger('updateFreq', updateFreq, 1, " (or 'epoch', 'batch')");
    }
    if (typeof to !== 'function' && (typeof to !== 'string' || to === '')) {
      refuse(
        'the first argument of tensorBoard',
        "a folder or a function: callbacks.tensorBoard('logs')",
        to,
        ConfigError,
      );
    }
    this.#sink = typeof to === 'function' ? to : folderSink(to);
    this.#every = updateFreq === 'epoch' ? null : updateFreq === 'batch' ? 1 : updateFreq;
    this.#train = new EventFile('train', this.#sink);
    this.#validation = new EventFile('validation', this.#sink);
  }

  /** Begins new files. Steps of batches continue, as in Keras. */
  override onTrainBegin(): void {
    this.#train = new EventFile('train', this.#sink);
    this.#validation = new EventFile('validation', this.#sink);
  }

  /** Writes the numbers of a batch, unless `updateFreq` is 'epoch'. */
  override async onBatchEnd(_batch: number, logs: Logs): Promise<void> {
    const step = this.#step++;
    if (this.#every === null || step % this.#every !== 0) return;
    await this.#train.write(step, scalarsOf(logs, 'batch_'));
  }

  /** Writes losses and metrics of a validation, by the number of updates. */
  override async onTestEnd(logs: Logs): Promise<void> {
    const scalars = scalarsOf(logs, 'evaluation_').map(
      ([name, value]) => [`${name}_vs_iterations`, value] as const,
    );
    await this.#validation.write(this.model.optimizer.iterations, scalars);
  }

  /** Writes the numbers of an epoch, and the learning rate. */
  override async onEpochEnd(epoch: number, logs: Logs): Promise<void> {
    const all = Object.entries({ ...logs, learning_rate: this.model.optimizer.learningRate });
    const isValidation = ([name]: [string, unknown]) => name.startsWith(kValidation);
    const train = Object.fromEntries(all.filter((entry) => !isValidation(entry)));
    const validation = Object.fromEntries(
      all.filter(isValidation).map(([name, value]) => [name.slice(kValidation.length), value]),
    );
    await this.#train.write(epoch, scalarsOf(train, 'epoch_'));
    await this.#validation.write(epoch, scalarsOf(validation, 'epoch_'));
  }
}

/** The numbers of logs. Metrics with several results are numbered. */
function scalarsOf(
  logs: { readonly [name: string]: number | number[] },
  prefix: string,
): (readonly [string, number])[] {
  return Object.entries(logs).flatMap(([name, value]) =>
    Array.isArray(value)
      ? value.map((item, i) => [`${prefix}${name}/${i}`, item] as const)
      : [[prefix + name, value] as const],
  );
}
