// SPDX-License-Identifier: MIT
import { refuse } from '../base/check.js';

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

/** Returns the iterator of batches: of an iterable, a stream, or what a function returns. */
export function iteratorOf<T>(batches: unknown): Iterator<T> | AsyncIterator<T> {
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
  const begin = (async ?? sync) as () => Iterator<T> | AsyncIterator<T>;
  const iterator = begin.call(iterable);
  if (typeof iterator?.next === 'function') return iterator;
  return refuse('the iterator of the batches', 'an object with next()', iterator);
}
