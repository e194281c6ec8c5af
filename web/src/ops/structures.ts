// SPDX-License-Identifier: MIT
// Tensors in nested lists and dictionaries, as ops that call functions accept and return them.
import { isPlain } from '../base/check.js';
import { ValueError } from '../base/errors.js';
import { isTensor, type Operand } from '../tensor/tensor.js';

/** Tensors in nested lists and dictionaries. */
export type TensorStructure =
  | Operand
  | readonly TensorStructure[]
  | { readonly [name: string]: TensorStructure };

/** Returns whether a value groups tensors: a list with a tensor or a group, or a dictionary. */
const isGroup = (value: unknown): value is object =>
  isPlain(value) || (Array.isArray(value) && value.some((item) => isTensor(item) || isGroup(item)));

/**
 * Calls `f` for each leaf of a structure, in the order of Keras: lists by position, dictionaries by
 * key. Returns the results, grouped in the same way.
 */
export function mapLeaves(value: unknown, f: (leaf: unknown) => unknown): unknown {
  if (!isGroup(value)) return f(value);
  if (Array.isArray(value)) return value.map((item) => mapLeaves(item, f));
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, item]) => [key, mapLeaves(item, f)]));
}

/** Returns the leaves of a structure. */
export function leavesOf(value: unknown): unknown[] {
  const leaves: unknown[] = [];
  mapLeaves(value, (leaf) => leaves.push(leaf));
  return leaves;
}

/** Returns the structure of a value with other leaves. */
export function withLeaves(value: unknown, leaves: readonly unknown[]): unknown {
  let next = 0;
  return mapLeaves(value, () => leaves[next++]);
}

/** Calls `f` with the leaves at each place of structures that are grouped alike. */
export function joinLeaves(
  values: readonly unknown[],
  f: (leaves: readonly unknown[]) => unknown,
): unknown {
  const lists = values.map(leavesOf);
  const [first, ...others] = lists.map(({ length }) => length);
  if (others.some((count) => count !== first)) {
    throw new ValueError(
      `functions return ${lists.map((l) => l.length)} tensors, not equally many`,
    );
  }
  return withLeaves(
    values[0],
    (lists[0] ?? []).map((_, place) => f(lists.map((leaves) => leaves[place]))),
  );
}
