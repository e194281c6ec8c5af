// SPDX-License-Identifier: MIT
// Options of `predict`, `traceMasks` and `summary`.
import { checkInteger, refuseOption } from '../base/check.js';
import { ShapeError } from '../base/errors.js';
import type { CallbackOptions } from './train_options.js';

/** Options of `predict`, beside the arguments of a call. */
export interface PredictOptions extends CallbackOptions {
  /** Rows that are computed at a time; 0: all at once. Default: 32. */
  batchSize?: number;
  /**
   * Number of workers, at least 1, that divide the rows. The result is then a promise. The program
   * must contain `import 'maskflow/worker'`, or it throws UnsupportedError. Default: this thread.
   */
  workers?: number;
  /**
   * Number of batches, at least 1, after which the prediction ends. Rows in memory need
   * `maskflow/train` for it. Default: all.
   */
  steps?: number;
  /** Cancels a call with `workers`; the promise rejects with the signal's reason. */
  signal?: AbortSignal;
}

/**
 * Batches that arrive one after another: an iterator (a generator, for example), an async iterable,
 * a stream, or a function that creates one. A list is not one of them, because lists are data.
 */
export type LaterBatches<Batch> =
  | IterableIterator<Batch>
  | AsyncIterable<Batch>
  | ReadableStream<Batch>
  | (() => Iterable<Batch> | AsyncIterable<Batch> | ReadableStream<Batch>);

/** Options of `traceMasks`, beside the arguments of a call. */
export interface TraceOptions {
  /** Whether to also list the ops that only compute a mask. Default: false. */
  maskOperations?: boolean;
}

/** Options of `summary`. */
export interface SummaryOptions {
  /** Function that receives the table; null: does not print. Default: console.log. */
  print?: ((text: string) => void) | null;
}

/** Options of `predict` as other programs spell them; the core knows the arguments of `call`. */
const misspelt = /^(batch_?size|(num_?)?workers?)$/i;
const options = { batchSize: 1, workers: 1, mask: 1, training: 1 };

// Lets the core choose the batch size.
const kUsualBatch = -1;

/**
 * Returns the number of rows of a batch. Throws ConfigError for an option of `predict` in the
 * spelling of another program.
 */
export function batchOf(batchSize: number | undefined, others: object): number {
  for (const name in others) if (misspelt.test(name)) refuseOption(name, options);
  if (batchSize !== undefined) checkInteger('batchSize', batchSize, 0, ' (all rows at once)');
  return batchSize ?? kUsualBatch;
}

/** Returns the error; if the input is one row in place of a batch, its message says so. */
export function withBatchHint(error: unknown, input: unknown): unknown {
  if (error instanceof ShapeError && Array.isArray(input) && typeof input[0] === 'number') {
    error.message += `; write one row as [[${input.slice(0, 3).join(', ')}${input.length > 3 ? ', …' : ''}]]`;
  }
  return error;
}
