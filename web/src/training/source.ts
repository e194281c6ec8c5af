// SPDX-License-Identifier: MIT
// Sources of batches: rows in memory, or batches of an iterable.
import { areBatches } from '../base/are_batches.js';
import { BatchReader, partsOfBatch } from '../base/batches.js';
import { ValueError } from '../base/errors.js';
import { warn } from '../base/visible.js';
import type { Batches, BatchOf } from '../model/train_options.js';
import { isTypedArray } from '../base/nested.js';
import { take } from '../ops/ops.gen.js';
import { isTensor, isWeight } from '../tensor/tensor.js';
import { type ClassWeight, withClassWeights } from './class_weights.js';
import { type Data, withMask } from './data.js';
import { type Counts, dataOf } from './rows.js';
import { permutation } from './random.js';

/** Creates a batch. Call it inside `tidy`. */
export type LazyBatch = () => Data;

/** Batches of many epochs. */
export interface Source {
  /** Batches of an epoch; null while unknown. */
  readonly steps: number | null;
  /** Returns the batches of an epoch. */
  epoch(number: number): AsyncIterable<LazyBatch>;
  /** Releases the iterator. */
  close?(): Promise<void>;
}

/** Options of {@link RowSource}. */
export interface RowOptions {
  batchSize?: number | undefined;
  /** Rows of a batch if neither `batchSize` nor `steps` determines them. */
  usualBatch: number;
  steps?: number | undefined;
  shuffle: boolean | 'batch';
  seed: number;
}

/** Batches of rows in memory. */
export class RowSource implements Source {
  readonly steps: number;
  /** Batches of all rows. */
  readonly #batches: number;
  /** Rows of a batch; the last one may have fewer. */
  readonly size: number;
  /** Index of the next batch. */
  #next = 0;
  /** Number of times that all rows were used. */
  #round = 0;

  constructor(
    readonly data: Data,
    readonly options: RowOptions,
  ) {
    const { batchSize, usualBatch, steps } = options;
    if (data.rows === 0) throw new ValueError('x has no rows; give one or more');
    this.size = batchSize || (steps ? Math.ceil(data.rows / steps) : usualBatch);
    this.#batches = Math.ceil(data.rows / this.size);
    this.steps = steps ?? this.#batches;
  }

  async *epoch(number: number): AsyncGenerator<LazyBatch> {
    // With `steps`, an epoch continues where the previous one ended.
    if (!this.options.steps) {
      this.#next = 0;
      this.#round = number;
    }
    const order = this.#order();
    for (let step = 0; step < this.steps; step++) {
      if (this.#next >= this.#batches) {
        warn(
          `an epoch has only ${step} batches, but stepsPerEpoch is ${this.steps}; give more rows`,
        );
        break;
      }
      const index = this.#next++;
      yield () => this.#batch(index, order);
    }
    if (this.#next >= this.#batches) {
      this.#next = 0;
      this.#round++;
    }
  }

  #order(): Int32Array | null {
    const { shuffle, seed } = this.options;
    return shuffle === true ? permutation(this.data.rows, seed, this.#round) : null;
  }

  #batch(index: number, order: Int32Array | null): Data {
    const first = index * this.size;
    const count = Math.min(this.size, this.data.rows - first);
    if (order) return selectRows(this.data, order.subarray(first, first + count));
    const batch = this.data.part(first, count);
    if (this.options.shuffle !== 'batch') return batch;
    const stream = this.#round * this.#batches + index;
    return selectRows(batch, permutation(count, this.options.seed, stream));
  }
}

/** Options of {@link IterableSource}. */
export interface IterableOptions extends Counts {
  steps?: number | undefined;
  classWeight?: ClassWeight | undefined;
  signal?: AbortSignal | undefined;
}

/** Batches of an iterable. */
export class IterableSource implements Source {
  #steps: number | null;
  #reader: BatchReader<BatchOf> | null = null;

  constructor(
    readonly batches: Batches,
    readonly options: IterableOptions,
  ) {
    this.#steps = options.steps ?? null;
  }

  get steps(): number | null {
    return this.#steps;
  }

  async *epoch(): AsyncGenerator<LazyBatch> {
    for await (const { item } of this.#read()) yield () => this.#batch(item);
  }

  /** Returns the items of an epoch as the iterable returns them. */
  async *items(): AsyncGenerator<BatchOf> {
    for await (const { item } of this.#read()) yield item;
  }

  // In objects, because an async generator waits for a promise that it yields.
  async *#read(): AsyncGenerator<{ readonly item: BatchOf }> {
    const { steps, signal } = this.options;
    this.#reader ??= new BatchReader(this.batches);
    let step = 0;
    let ended = false;
    try {
      for (; step < (steps ?? Number.POSITIVE_INFINITY); step++) {
        const { done, value } = await this.#reader.next(signal);
        ended = done === true;
        if (ended) break;
        yield { item: value as BatchOf };
      }
      this.#steps ??= step;
      if (ended && (steps || step === 0)) {
        warn(
          `the batches ended after ${step}${steps ? ` of ${steps}` : ''}; if they are a generator, which runs once, give a function that creates it`,
        );
      }
    } finally {
      // Close an iterator that was left early, unless the next epoch continues with it.
      if (!ended && step !== steps) await this.close();
      if (ended || !steps) this.#reader = null;
    }
  }

  /** Closes the iterator. */
  async close(): Promise<void> {
    const reader = this.#reader;
    this.#reader = null;
    await reader?.close();
  }

  #batch(batch: BatchOf): Data {
    return oneBatch(partsOfBatch(batch), this.options, this.options.classWeight);
  }
}

/** Converts one batch, which must have rows. */
export function oneBatch(
  parts: readonly unknown[],
  counts: Counts,
  classWeight: ClassWeight | undefined,
): Data {
  const data = dataOf(parts, counts);
  if (data.rows === 0) throw new ValueError('a batch has no rows; give one or more');
  return withClassWeights(data, classWeight, counts.model);
}

/** Selects rows by index. */
const selectRows = (data: Data, indices: Int32Array): Data =>
  data.map((x) => withMask(x, (all) => take(all, indices, { axis: 0 })));

/** Returns whether x is batches, not data. */
export function isBatches(x: unknown): x is Batches {
  return areBatches(x) && !isTensor(x) && !isWeight(x) && !isTypedArray(x);
}
