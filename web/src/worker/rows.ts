// SPDX-License-Identifier: MIT
// Cuts, orders and joins the rows of a call as messages, so that a pool needs no tensors.
import { elementCount, joinInto } from '../base/array.js';
import { ShapeError } from '../base/errors.js';
import type { TypedArray } from '../base/nested.js';
import type { WireCall, WireTensor, WireTree } from './messages.js';

/** The number of rows of a call; null for a call that cannot be split by rows. */
export function rowsOf({ x, masks, tensors }: WireCall): number | null {
  if (Object.keys(tensors).length > 0) return null;
  const parts = [...x.items, ...(masks ?? []), ...x.items.map(({ mask }) => mask)];
  const counts = parts.filter((item) => !!item).map(({ shape }) => shape[0] ?? -1);
  const [rows = -1] = counts;
  return rows >= 0 && counts.every((count) => count === rows) ? rows : null;
}

/** Rows `from` to `to` (exclusive), as views of the same elements. */
function cut<T extends WireTensor | null | undefined>(item: T, from: number, to: number): T {
  if (!item) return item;
  const { shape, data, dtype, mask = null } = item;
  const size = elementCount(shape.slice(1));
  return {
    dtype,
    shape: [to - from, ...shape.slice(1)],
    data: data.subarray(from * size, to * size),
    mask: cut(mask, from, to),
  } as WireTensor as T;
}

/** A copy of a call with all tensors and masks changed. */
function mapCall(call: WireCall, change: <T extends WireTensor | null>(item: T) => T): WireCall {
  const { x, masks } = call;
  return {
    ...call,
    x: { ...x, items: x.items.map((item) => change(item)) },
    masks: masks?.map((mask) => change(mask)) ?? null,
  };
}

/** The rows `from` to `to` (exclusive) of a call that can be split. */
export function cutCall(call: WireCall, from: number, to: number): WireCall {
  return mapCall(call, (item) => cut(item, from, to));
}

/** A copy with the rows in the given order. */
function arrange<T extends WireTensor | null | undefined>(item: T, order: Int32Array): T {
  if (!item) return item;
  const { shape, data, dtype, mask = null } = item;
  const size = data.length / Math.max(1, order.length);
  const arranged = new (data.constructor as new (size: number) => TypedArray)(data.length);
  order.forEach((row, i) => {
    arranged.set(data.subarray(row * size, (row + 1) * size), i * size);
  });
  return { dtype, shape, data: arranged, mask: arrange(mask, order) } as WireTensor as T;
}

/** A copy of a call that can be split, with its rows in the given order. */
export function arrangeCall(call: WireCall, order: Int32Array): WireCall {
  return mapCall(call, (item) => arrange(item, order));
}

/** Undoes {@link arrangeCall} for outputs; null if they have another number of rows. */
export function restoreOrder(tree: WireTree, order: Int32Array): WireTree | null {
  if (tree.items.some(({ shape }) => shape[0] !== order.length)) return null;
  const positions = new Int32Array(order.length);
  order.forEach((row, i) => {
    positions[row] = i;
  });
  return { ...tree, items: tree.items.map((item) => arrange(item, positions)) };
}

/** A copy of a call, whose buffers can be transferred. */
export function copyCall(call: WireCall): WireCall {
  const copy = <T extends WireTensor | null>(item: T): T =>
    item && { ...item, data: item.data.slice(), mask: copy(item.mask ?? null) };
  return mapCall(call, copy);
}

function join(parts: readonly WireTensor[]): WireTensor {
  const [first] = parts as [WireTensor];
  const inner = first.shape.slice(1);
  let rows = 0;
  let size = 0;
  for (const { shape, data } of parts) {
    if (shape.length === 0 || String(shape.slice(1)) !== String(inner)) {
      throw new ShapeError(
        `batches have outputs of shapes [${first.shape}] and [${shape}], which cannot be joined; use batchSize 0`,
      );
    }
    rows += shape[0] as number;
    size += data.length;
  }
  const data = new (first.data.constructor as new (size: number) => TypedArray)(size);
  joinInto(
    data,
    parts.map((part) => part.data),
  );
  return { dtype: first.dtype, shape: [rows, ...inner], data, mask: null };
}

/** Joins the outputs of consecutive rows. */
export function joinTrees(trees: readonly WireTree[]): WireTree {
  const [first] = trees as [WireTree];
  if (trees.length === 1) return first;
  const items = first.items.map((_, i) => join(trees.map((tree) => tree.items[i] as WireTensor)));
  return { ...first, items };
}

/** The items in the structure of a tree: one, a list, or a dictionary. */
export function structured<T>(
  { form, keys }: WireTree,
  items: readonly T[],
): T | T[] | { [name: string]: T } {
  if (form === 'one') return items[0] as T;
  if (form === 'list') return [...items];
  return Object.fromEntries(keys.map((key, i) => [key, items[i] as T]));
}
