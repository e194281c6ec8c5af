// SPDX-License-Identifier: MIT
// Batches that arrive later: iterables, streams, and functions that create them.
import { unlessAborted } from './abort.js';
import { checkStep, isPlain, refuse } from './check.js';

/** Reads a stream of batches. Safari's streams are not iterable. */
async function* chunksOf<T>(stream: ReadableStream<T>): AsyncGenerator<T> {
  const reader = stream.getReader();
  let isRead = false;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      isRead = done;
      if (done) return;
      yield value;
    }
  } finally {
    if (!isRead) await reader.cancel().catch(() => {});
    reader.releaseLock();
  }
}

type BatchIterator<T> = Iterator<T> | AsyncIterator<T>;

/** Returns the iterator of batches: of an iterable, a stream, or what a function returns. */
export function iteratorOf<T>(batches: unknown): BatchIterator<T> {
  const iterable: unknown = typeof batches === 'function' ? (batches as () => unknown)() : batches;
  const {
    [Symbol.asyncIterator]: async,
    [Symbol.iterator]: sync,
    getReader,
  } = (iterable ?? {}) as {
    [Symbol.asyncIterator]?: () => AsyncIterator<T>;
    [Symbol.iterator]?: () => Iterator<T>;
    getReader?: unknown;
  };
  if (!async && typeof getReader === 'function') return chunksOf(iterable as ReadableStream<T>);
  if (!async && !sync) refuse('the result of the function for batches', 'iterable', iterable);
  const begin = (async ?? sync) as () => BatchIterator<T>;
  const iterator = begin.call(iterable);
  if (typeof iterator?.next === 'function') return iterator;
  return refuse('the iterator of the batches', 'an object with next()', iterator);
}

/** Calls `use` with each batch, one after another. An error closes the source. */
export async function eachBatch<T>(batches: unknown, use: (batch: T) => void): Promise<void> {
  const source = { [Symbol.asyncIterator]: () => iteratorOf<T>(batches) as AsyncIterator<T> };
  for await (const batch of source) use(batch);
}

/**
 * Returns x, y and the weights of a batch for training. TensorFlow.js writes `{ xs, ys }`. Throws
 * ValueError for another value.
 */
export function partsOfBatch(batch: unknown): readonly unknown[] {
  const parts: readonly unknown[] = isTfjsBatch(batch)
    ? [batch.xs, batch.ys]
    : Array.isArray(batch)
      ? batch
      : [];
  if (parts.length >= 1 && parts.length <= 3 && typeof parts[0] !== 'number') return parts;
  return refuse('a batch', '[x, y] or [x, y, sampleWeight]', batch);
}

const isTfjsBatch = (batch: unknown): batch is { xs: unknown; ys?: unknown } =>
  isPlain(batch) && 'xs' in batch;

/** Reads batches one after another, and closes their iterator also while it computes a batch. */
export class BatchReader<T> {
  readonly #iterator: BatchIterator<T>;
  /** Whether `next()` is pending. */
  #isPending = false;

  constructor(batches: unknown) {
    this.#iterator = iteratorOf<T>(batches);
  }

  /** Returns the next batch. Rejects with the signal's reason as soon as the signal fires. */
  async next(signal?: AbortSignal): Promise<IteratorResult<T>> {
    this.#isPending = true;
    const step = Promise.resolve(this.#iterator.next());
    const result = checkStep(await unlessAborted(step, signal));
    this.#isPending = false;
    return result;
  }

  async close(): Promise<void> {
    const closed = Promise.resolve(this.#iterator.return?.());
    // Do not wait: a pending generator closes only when it continues, which may be never.
    if (this.#isPending) closed.catch(() => {});
    else await closed;
  }
}
