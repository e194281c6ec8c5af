// SPDX-License-Identifier: MIT
// Batches of this thread for a model that is trained in a worker.
import { refuse, checkStep } from '../base/check.js';
import type { PerOutput } from '../measures/evaluation.js';
import { toTree, type WorkerInput, type WorkerInputs } from './inputs.js';
import type { WireRows } from './messages.js';

/** As `fit` takes them. */
export type WorkerBatch = readonly [
  x: WorkerInputs,
  y?: PerOutput<WorkerInput> | null,
  sampleWeight?: PerOutput<WorkerInput> | null,
];

type Iterating = Iterator<WorkerBatch> | AsyncIterator<WorkerBatch>;

/** Batches from an iterable, or from a function that makes one for each epoch. */
export type WorkerBatches =
  | Iterable<WorkerBatch>
  | AsyncIterable<WorkerBatch>
  | (() => Iterable<WorkerBatch> | AsyncIterable<WorkerBatch>);

/** Does it give batches, or is it data itself? */
export function givesBatches(x: unknown): x is WorkerBatches {
  if (typeof x === 'function') return true;
  if (typeof x !== 'object' || x === null || Array.isArray(x) || ArrayBuffer.isView(x))
    return false;
  return Symbol.iterator in x || Symbol.asyncIterator in x;
}

function iteratorOf(batches: WorkerBatches): Iterating {
  const from: unknown = typeof batches === 'function' ? batches() : batches;
  const { [Symbol.asyncIterator]: later, [Symbol.iterator]: now } = (from ?? {}) as {
    [Symbol.asyncIterator]?: () => Iterating;
    [Symbol.iterator]?: () => Iterating;
  };
  const begin = later ?? now;
  if (!begin) refuse('what the function for batches gives', 'iterable', from);
  const made = begin.call(from);
  if (typeof made?.next === 'function') return made;
  return refuse('the iterator of the batches', 'an object with next()', made);
}

const treeOf = (given: unknown) => (given === undefined || given === null ? null : toTree(given));

/** x, y and weights in a form that crosses. */
export const rowsOf = (parts: readonly unknown[]): WireRows => parts.map(treeOf);

function rowsIn(batch: unknown): WireRows {
  const parts: readonly unknown[] = Array.isArray(batch) ? batch : [];
  if (parts.length < 1 || parts.length > 3 || typeof parts[0] === 'number') {
    refuse('a batch', '[x, y] or [x, y, sampleWeight]', batch);
  }
  return [toTree(parts[0]), ...rowsOf(parts.slice(1))];
}

/** What the worker asks for, out of an iterator of this thread. */
export class BatchFeed {
  #current: Iterating | null = null;
  /** Is a batch waited for? */
  #waits = false;

  constructor(readonly batches: WorkerBatches) {}

  /** Null at the end. */
  async next(begins: boolean): Promise<WireRows | null> {
    if (begins) {
      await this.close();
      this.#current = iteratorOf(this.batches);
    }
    this.#waits = true;
    const next = checkStep(await (this.#current as Iterating).next());
    this.#waits = false;
    if (!next.done) return rowsIn(next.value);
    this.#current = null;
    return null;
  }

  /** Lets the iterator go. */
  async close(): Promise<void> {
    const current = this.#current;
    this.#current = null;
    const closed = Promise.resolve(current?.return?.());
    // (A generator that waits hears of it when it goes on, which may be never.)
    if (this.#waits) closed.catch(() => {});
    else await closed;
  }
}
