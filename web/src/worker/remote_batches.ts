// SPDX-License-Identifier: MIT
// Batches of this thread for a model that a worker trains.
import { refuse, checkStep } from '../base/check.js';
import type { PerOutput } from '../measures/evaluation.js';
import { toTree, type WorkerInput, type WorkerInputs } from './inputs.js';
import type { WireRows } from './messages.js';

/** One batch of `fit`. */
export type WorkerBatch = readonly [
  x: WorkerInputs,
  y?: PerOutput<WorkerInput> | null,
  sampleWeight?: PerOutput<WorkerInput> | null,
];

type BatchIterator = Iterator<WorkerBatch> | AsyncIterator<WorkerBatch>;

/** An iterable of batches, or a function that returns one for each epoch. */
export type WorkerBatches =
  | Iterable<WorkerBatch>
  | AsyncIterable<WorkerBatch>
  | (() => Iterable<WorkerBatch> | AsyncIterable<WorkerBatch>);

/** Returns whether the value is a source of batches; otherwise it is data. */
export function hasBatches(x: unknown): x is WorkerBatches {
  if (typeof x === 'function') return true;
  if (typeof x !== 'object' || x === null || Array.isArray(x) || ArrayBuffer.isView(x))
    return false;
  return Symbol.iterator in x || Symbol.asyncIterator in x;
}

function iteratorOf(batches: WorkerBatches): BatchIterator {
  const iterable: unknown = typeof batches === 'function' ? batches() : batches;
  const { [Symbol.asyncIterator]: asynchronous, [Symbol.iterator]: synchronous } = (iterable ??
    {}) as {
    [Symbol.asyncIterator]?: () => BatchIterator;
    [Symbol.iterator]?: () => BatchIterator;
  };
  const begin = asynchronous ?? synchronous;
  if (!begin) refuse('the result of the function for batches', 'iterable', iterable);
  const iterator = begin.call(iterable);
  if (typeof iterator?.next === 'function') return iterator;
  return refuse('the iterator of the batches', 'an object with next()', iterator);
}

const treeOf = (value: unknown) => (value === undefined || value === null ? null : toTree(value));

/** x, y and the sample weights as plain data. */
export const rowsOf = (parts: readonly unknown[]): WireRows => parts.map(treeOf);

function rowsIn(batch: unknown): WireRows {
  const parts: readonly unknown[] = Array.isArray(batch) ? batch : [];
  if (parts.length < 1 || parts.length > 3 || typeof parts[0] === 'number') {
    refuse('a batch', '[x, y] or [x, y, sampleWeight]', batch);
  }
  return [toTree(parts[0]), ...rowsOf(parts.slice(1))];
}

/** Reads the batches that the worker requests from an iterator of this thread. */
export class BatchFeed {
  #current: BatchIterator | null = null;
  /** Whether the iterator computes a batch. */
  #isWaiting = false;

  constructor(readonly batches: WorkerBatches) {}

  /** Returns the next batch; null at the end. */
  async next(begins: boolean): Promise<WireRows | null> {
    if (begins) {
      await this.close();
      this.#current = iteratorOf(this.batches);
    }
    this.#isWaiting = true;
    const next = checkStep(await (this.#current as BatchIterator).next());
    this.#isWaiting = false;
    if (!next.done) return rowsIn(next.value);
    this.#current = null;
    return null;
  }

  /** Ends the iterator. */
  async close(): Promise<void> {
    const current = this.#current;
    this.#current = null;
    const closed = Promise.resolve(current?.return?.());
    // A generator that is waiting ends only when it continues, which may be never.
    if (this.#isWaiting) closed.catch(() => {});
    else await closed;
  }
}
