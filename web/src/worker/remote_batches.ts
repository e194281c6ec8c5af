// SPDX-License-Identifier: MIT
// Batches of this thread for a model that a worker trains.
import { areBatches } from '../base/are_batches.js';
import { BatchReader, partsOfBatch } from '../base/batches.js';
import type { PerOutput } from '../measures/evaluation.js';
import { toTree, toTreeOfSome, type WorkerInput, type WorkerInputs } from './inputs.js';
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

const treeOf = (value: unknown) =>
  value === undefined || value === null ? null : toTreeOfSome(value);

/** x, y and the sample weights as plain data. */
export const rowsOf = (parts: readonly unknown[]): WireRows => parts.map(treeOf);

function rowsIn(batch: unknown): WireRows {
  const parts = partsOfBatch(batch);
  return [toTree(parts[0]), ...rowsOf(parts.slice(1))];
}

/** Reads the batches that the worker requests from an iterator of this thread. */
export class BatchFeed {
  #reader: BatchReader<WorkerBatch> | null = null;

  constructor(readonly batches: WorkerBatches) {}

  /** Returns the next batch; null at the end. */
  async next(begins: boolean): Promise<WireRows | null> {
    if (begins) {
      await this.close();
      this.#reader = new BatchReader(this.batches);
    }
    const { done, value } = await (this.#reader as BatchReader<WorkerBatch>).next();
    if (!done) return rowsIn(value);
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
