// SPDX-License-Identifier: MIT
// Sums and joins of plain lists and typed arrays, for every folder and the command.
import type { TypedArray } from './nested.js';

/** Sum of the numbers; 0 for an empty list. */
export function sum(numbers: Iterable<number>): number {
  let total = 0;
  for (const number of numbers) total += number;
  return total;
}

/** Number of elements of a tensor of this shape; 1 for a scalar. */
export const elementCount = (shape: readonly number[]): number =>
  shape.reduce((product, dim) => product * dim, 1);

/** Copies the parts into `whole`, one after the other, and returns it. */
export function joinInto<T extends TypedArray>(whole: T, parts: readonly T[]): T {
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}

/** Joins the parts to one array. A single part is returned as is. */
export function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  const [only] = parts;
  if (parts.length === 1 && only) return only;
  return joinInto(new Uint8Array(sum(parts.map(({ length }) => length))), parts);
}

/** Adds an item to the list of a key. */
export function addTo<K, T>(lists: Map<K, T[]>, key: K, item: T): void {
  const list = lists.get(key);
  if (list) list.push(item);
  else lists.set(key, [item]);
}

/** Appends items to a list. `push(...items)` would exhaust the stack with a few 100,000 items. */
export function append<T>(list: T[], items: Iterable<T>): void {
  for (const item of items) list.push(item);
}
