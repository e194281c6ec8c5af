// SPDX-License-Identifier: MIT
// Batches of this thread for a model that a worker trains.
import { areBatches } from '../base/are_batches.js';
import { BatchReader, partsOfBatch } from '../base/batches.js';
import type { PerOutput } from '../measures/evaluation.js';
import {
  type Counts,
  toTree,
  toTreeOfSome,
  type WorkerInput,
  type WorkerInputs,
} from './inputs.js';
import type { WireRows } from './messages.js';

/** One batch of `fit`. */
export type WorkerBatch = readonly [
  x: WorkerInputs,
  y?: PerOutput<WorkerInput> | null,
  sampleWeight?: PerOutput<WorkerInput> | null,
];

/** An iterable or a stream of batches, or a function that returns one for each epoch. */
export type WorkerBatches =
  | Iterable<WorkerBatch>
  | AsyncIterable<WorkerBatch>
  | ReadableStream<WorkerBatch>
  | (() => Iterable<WorkerBatch> | AsyncIterable<WorkerBatch> | ReadableStream<WorkerBatch>);

/** Returns whether the value is a source of batches; otherwise it is data. */
export const hasBatches = (x: unknown): x is WorkerBatches => areBatches(x);

/** x, y and the sample weights as plain data. */
export const rowsOf = ([x, ...others]: readonly unknown[], counts: Counts): WireRows => [
  toTree(x, counts.inputs),
  ...others.map((value) =>
    value === undefined || value === null ? null : toTreeOfSome(value, counts.outputs),
  ),
];

/** Reads the batches that the worker requests from an iterator of this thread. */
export class BatchFeed {
  #reader: BatchReader<WorkerBatch> | null = null;

  constructor(
    readonly batches: WorkerBatches,
    readonly counts: Counts,
  ) {}

  /** Returns the next batch; null at the end. */
  async next(begins: boolean): Promise<WireRows | null> {
    if (begins) {
      await this.close();
      this.#reader = new BatchReader(this.batches);
    }
    const { done, value } = await (this.#reader as BatchReader<WorkerBatch>).next();
    if (!done) return rowsOf(partsOfBatch(value), this.counts);
    this.#reader = null;
    return null;
  }

  /** Ends the iterator. */
  async close(): Promise<void> {
    const reader = this.#reader;
    this.#reader = null;
    await reader?.close();
  }
}
