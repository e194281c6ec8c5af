// SPDX-License-Identifier: MIT
// Where the batches of epochs come from: rows in the memory, or batches that somebody else makes.
import { ignorePromises, isPlain, refuse, checkStep } from '../base/check.js';
import { ShapeError, ValueError } from '../base/errors.js';
import { warn } from '../base/visible.js';
import { flatInputs, type LayerInputs } from '../layers/args.js';
import type { Batches, BatchOf } from '../model/train_options.js';
import { isTypedArray } from '../base/nested.js';
import { native, unwrap } from '../engine/engine.js';
import type { Layer } from '../layers/layer.js';
import { take } from '../ops/ops.gen.js';
import {
  asTensor,
  freeTensors,
  isTensor,
  isWeight,
  type Tensor,
  type TensorLike,
} from '../tensor/tensor.js';
import { unlessAborted } from './pace.js';
import { type ClassWeight, classWeights } from './class_weights.js';
import { Data, type Given, withMask } from './data.js';
import { permutation } from './random.js';

/** Makes a batch where it is used: inside a `tidy`. */
export type LazyBatch = () => Data;

/** Batches of many epochs. */
export interface Source {
  /** Batches of an epoch; null where that is not known yet. */
  readonly steps: number | null;
  epoch(number: number): AsyncIterable<LazyBatch>;
  /** Gives back what is held. */
  close?(): Promise<void>;
}

export interface RowOptions {
  batchSize?: number | undefined;
  /** Rows of a batch if neither `batchSize` nor `steps` determines them. */
  usualBatch: number;
  steps?: number | undefined;
  shuffle: boolean | 'batch';
  seed: number;
}

/** Batches of rows that are all there. */
export class RowSource implements Source {
  readonly steps: number;
  readonly #all: number;
  /** Rows of a batch, of the last one at most. */
  readonly size: number;
  #place = 0;
  #round = 0;

  constructor(
    readonly data: Data,
    readonly options: RowOptions,
  ) {
    const { batchSize, usualBatch, steps } = options;
    if (data.rows === 0) throw new ValueError('x has no rows; give one or more');
    this.size = batchSize || (steps ? Math.ceil(data.rows / steps) : usualBatch);
    this.#all = Math.ceil(data.rows / this.size);
    this.steps = steps ?? this.#all;
  }

  async *epoch(number: number): AsyncGenerator<LazyBatch> {
    // A round is all rows once; an epoch of `steps` batches goes on where the one before it ended.
    if (!this.options.steps) {
      this.#place = 0;
      this.#round = number;
    }
    const order = this.#order();
    for (let step = 0; step < this.steps; step++) {
      if (this.#place >= this.#all) {
        warn(
          `an epoch has ${step} batches, not the ${this.steps} of stepsPerEpoch: the rows came to their end`,
        );
        break;
      }
      const at = this.#place++;
      yield () => this.#batch(at, order);
    }
    if (this.#place >= this.#all) {
      this.#place = 0;
      this.#round++;
    }
  }

  #order(): Int32Array | null {
    const { shuffle, seed } = this.options;
    return shuffle === true ? permutation(this.data.rows, seed, this.#round) : null;
  }

  #batch(at: number, order: Int32Array | null): Data {
    const first = at * this.size;
    const count = Math.min(this.size, this.data.rows - first);
    if (order) return taken(this.data, order.subarray(first, first + count));
    const batch = this.data.part(first, count);
    if (this.options.shuffle !== 'batch') return batch;
    return taken(batch, permutation(count, this.options.seed, this.#round * this.#all + at));
  }
}

export interface StreamOptions {
  steps?: number | undefined;
  classWeight?: ClassWeight | undefined;
  signal?: AbortSignal | undefined;
  /** Of the model's inputs and outputs, where that is known. */
  inputs: number;
  outputs: number;
}

type Iterating = Iterator<BatchOf> | AsyncIterator<BatchOf>;

/** Batches that an iterable gives. */
export class IterableSource implements Source {
  #steps: number | null;
  #current: Iterating | null = null;
  /** Is a batch waited for? */
  #waits = false;

  constructor(
    readonly batches: Batches,
    readonly options: StreamOptions,
  ) {
    this.#steps = options.steps ?? null;
  }

  get steps(): number | null {
    return this.#steps;
  }

  #begin(): Iterating {
    const { batches } = this;
    const from: unknown = typeof batches === 'function' ? batches() : batches;
    const { [Symbol.asyncIterator]: later, [Symbol.iterator]: now } = (from ?? {}) as {
      [Symbol.asyncIterator]?: () => AsyncIterator<BatchOf>;
      [Symbol.iterator]?: () => Iterator<BatchOf>;
    };
    if (!later && !now) refuse('what the function for batches gives', 'iterable', from);
    const made = (later ?? (now as () => Iterating)).call(from);
    if (typeof made?.next === 'function') return made;
    return refuse('the iterator of the batches', 'an object with next()', made);
  }

  async *epoch(): AsyncGenerator<LazyBatch> {
    const { steps, signal } = this.options;
    this.#current ??= this.#begin();
    let step = 0;
    let ended = false;
    try {
      for (; step < (steps ?? Number.POSITIVE_INFINITY); step++) {
        this.#waits = true;
        const next = checkStep(await unlessAborted(this.#current.next(), signal));
        this.#waits = false;
        ended = next.done === true;
        if (ended) break;
        const { value } = next;
        yield () => this.#batch(value as BatchOf);
      }
      this.#steps ??= step;
      if (ended && (steps || step === 0)) {
        warn(
          `the batches came to their end after ${step}${steps ? ` of ${steps}` : ''}; a generator runs once: give a function that makes one`,
        );
      }
    } finally {
      // (Left before the end, the iterable is told, unless the next epoch goes on.)
      if (!ended && step !== steps) await this.close();
      if (ended || !steps) this.#current = null;
    }
  }

  /** Lets the iterable go. */
  async close(): Promise<void> {
    const current = this.#current;
    this.#current = null;
    const closed = Promise.resolve(current?.return?.());
    // (A generator that waits hears of it when it goes on, which may be never.)
    if (this.#waits) closed.catch(() => {});
    else await closed;
  }

  #batch(batch: BatchOf): Data {
    const parts: readonly unknown[] = Array.isArray(batch) ? batch : [];
    if (parts.length < 1 || parts.length > 3 || typeof parts[0] === 'number') {
      refuse('a batch', '[x, y] or [x, y, sampleWeight]', batch);
    }
    return oneBatch(parts, this.options, this.options.classWeight);
  }
}

/** How many inputs and outputs a model has, where it knows them. */
export function countsOf(model: Layer): { inputs: number; outputs: number } {
  if (!unwrap(native().modelHasGraph(model.handle))) return { inputs: 1, outputs: 1 };
  const { inputs, outputs } = unwrap(native().modelSymbols(model.handle));
  freeTensors(inputs, outputs);
  return { inputs: inputs.length, outputs: outputs.length };
}

type Taker = (tensor: Tensor) => void;

// (A list of arrays of numbers is one tensor, unless as many are needed.)
function formOf(value: unknown, count: number): Given['form'] {
  if (isTensor(value) || isWeight(value) || isTypedArray(value)) return 'one';
  if (isPlain(value)) return 'dictionary';
  if (!Array.isArray(value)) return 'one';
  if (value.length > 0 && value.every(isTensor)) return 'list';
  const fits = count > 1 && value.length === count;
  return fits && value.every((item) => typeof item === 'object') ? 'list' : 'one';
}

/** What was given for `count` inputs or outputs; those tensors that are made are given to `made`. */
function givenFor(value: unknown, what: string, count: number, made?: Taker): Given {
  const form = formOf(value, count);
  if (value === undefined || value === null) return { values: {}, form };
  const take = (item: unknown): Tensor => {
    const tensor = asTensor(item as TensorLike);
    if (tensor !== item) made?.(tensor);
    if (tensor.rank > 0) return tensor;
    throw new ShapeError(`${what} is a single number; data has rows, one for each sample`);
  };
  const entries: [string, unknown][] = form === 'one' ? [['0', value]] : Object.entries(value);
  const present = entries.filter(([, item]) => item !== null && item !== undefined);
  return { values: Object.fromEntries(present.map(([key, item]) => [key, take(item)])), form };
}

/** Inputs, targets and weights as they were given. `made`: is told of tensors that are made for it. */
export function dataOf(
  [x, y, weights]: readonly unknown[],
  { inputs, outputs }: { readonly inputs: number; readonly outputs: number },
  made?: Taker,
): Data {
  if (x === undefined || x === null) throw new ValueError('there is no x');
  try {
    return new Data(
      givenFor(flatInputs(x as LayerInputs), 'x', inputs, made),
      givenFor(flatInputs(y as LayerInputs), 'y', outputs, made),
      givenFor(weights, 'sampleWeight', outputs, made),
    );
  } catch (error) {
    ignorePromises([x, y, weights]);
    throw error;
  }
}

/** The same for one batch, which has rows. */
export function oneBatch(
  parts: readonly unknown[],
  counts: { readonly inputs: number; readonly outputs: number },
  classWeight: ClassWeight | undefined,
): Data {
  const data = dataOf(parts, counts);
  if (data.rows === 0) throw new ValueError('a batch has no rows; give one or more');
  return weighted(data, classWeight);
}

/** Those rows, in that order. */
const taken = (data: Data, indices: Int32Array): Data =>
  data.map((x) => withMask(x, (all) => take(all, indices, { axis: 0 })));

/** The same with weights of its classes. */
export function weighted(data: Data, classWeight: ClassWeight | undefined): Data {
  if (!classWeight) return data;
  const weights = { 0: classWeights(data.y, classWeight) };
  return new Data(data.x, data.y, { values: weights, form: 'one' });
}

/** Does it give batches, or is it data itself? */
export function givesBatches(x: unknown): x is Batches {
  if (typeof x === 'function') return true;
  if (typeof x !== 'object' || x === null || Array.isArray(x)) return false;
  if (isTensor(x) || isWeight(x) || isTypedArray(x)) return false;
  return Symbol.iterator in x || Symbol.asyncIterator in x;
}
