// SPDX-License-Identifier: MIT
// Decides whether `predict`, `evaluate` and `fit` received data or a source of batches. No wasm is
// involved, because workers ask, too.

/** A source of batches, also asynchronous, or a function that returns one. */
export type BatchSource<T> =
  | Iterable<T>
  | AsyncIterable<T>
  | ReadableStream<T>
  | (() => Iterable<T> | AsyncIterable<T>);

/** Returns whether the value is a source of batches, not an array or a typed array. */
export function areBatches(x: unknown): boolean {
  if (typeof x === 'function') return true;
  if (typeof x !== 'object' || x === null || Array.isArray(x) || ArrayBuffer.isView(x))
    return false;
  // A dictionary of inputs by mistake.
  if (x instanceof Map) return false;
  return Symbol.iterator in x || Symbol.asyncIterator in x || 'getReader' in x;
}
