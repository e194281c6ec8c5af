// SPDX-License-Identifier: MIT
// The function `splitDataset` of maskflow/train.
import { checkInteger, checkOptions, refuse } from '../base/check.js';
import { ShapeError, ValueError } from '../base/errors.js';
import { isTypedArray, type Nested, type TypedArray } from '../base/nested.js';
import { take } from '../ops/ops.gen.js';
import { Tensor, tensor } from '../tensor/tensor.js';
import { drawSeed } from '../ops/random_source.js';
import { permutation } from './random.js';

/** Arrays with rows: one, or a list or dictionary of several with equally many rows. */
export type Rows = Tensor | TypedArray | Nested;

/** Options of `splitDataset`. */
export interface SplitOptions {
  /** Size of the first part: a share below 1, or a number of rows. Default: the rest. */
  leftSize?: number;
  /** Size of the second part: a share below 1, or a number of rows. Default: the rest. */
  rightSize?: number;
  /** Whether to shuffle the rows before. Default: false. */
  shuffle?: boolean;
  /** Seed of the order. Default: random. */
  seed?: number;
}

/** Rounds half to even, as Python does. */
function roundAsPython(x: number): number {
  const floor = Math.floor(x);
  const isHalf = x - floor === 0.5;
  return isHalf ? floor + (floor % 2) : Math.round(x);
}

const rowsOf = (value: Rows): number => {
  const rows = value instanceof Tensor ? value.shape[0] : (value as ArrayLike<unknown>)?.length;
  if (typeof rows === 'number') return rows;
  throw new ShapeError('a part of the data has no rows; give tensors or arrays');
};

function selectRows(value: Rows, order: Int32Array): Rows {
  if (value instanceof Tensor) {
    const rows = tensor(order);
    const selected = take(value, rows, { axis: 0 });
    rows.dispose();
    return selected;
  }
  if (isTypedArray(value)) {
    const Class = value.constructor as new (items: Iterable<number>) => TypedArray;
    return new Class(Array.from(order, (row) => value[row] as number));
  }
  return Array.from(order, (row) => (value as readonly Nested[])[row]) as Nested;
}

/** Number of rows of a part, from a share or a number. */
function sizeOf(name: string, size: number | undefined, total: number): number | undefined {
  if (size === undefined) return undefined;
  if (typeof size === 'number' && size > 0 && size < 1) return roundAsPython(size * total);
  checkInteger(name, size, 1, ', or a share between 0 and 1');
  return size;
}

/**
 * Splits arrays into two parts with the same order of rows, like Keras's `split_dataset`. Each part
 * has the arrays of `data`: `[x, y]`, or a dictionary.
 *
 * Throws ValueError for sizes that leave a part without rows.
 *
 * @param data Arrays with as many rows each.
 *
 * @example
 * const [train, test] = splitDataset([x, y], { leftSize: 0.8, shuffle: true, seed: 1 });
 * await model.fit(...train, { validationData: test });
 */
export function splitDataset<T extends readonly Rows[] | { readonly [name: string]: Rows }>(
  data: T,
  options: SplitOptions,
): [T, T] {
  const { leftSize, rightSize, shuffle, seed } = checkOptions(options, {
    leftSize: 1,
    rightSize: 1,
    shuffle: 1,
    seed: 1,
  });
  if (typeof data !== 'object' || data === null || data instanceof Tensor || isTypedArray(data)) {
    refuse('the first argument of splitDataset', 'a list or dictionary of arrays', data);
  }
  if (seed !== undefined) checkInteger('seed', seed, 0);
  const entries = Object.entries(data) as [string, Rows][];
  const counts = entries.map(([, value]) => rowsOf(value));
  const [total = 0] = counts;
  const other = counts.find((count) => count !== total);
  if (other !== undefined) {
    throw new ShapeError(`the arrays have ${total} and ${other} rows; give the same number`);
  }
  const [left, right] = sizes(leftSize, rightSize, total);
  const stream = seed ?? drawSeed();
  const order = shuffle
    ? permutation(total, stream, 0)
    : Int32Array.from({ length: total }, (_, i) => i);
  const part = (rows: Int32Array): T => {
    const values = entries.map(([key, value]) => [key, selectRows(value, rows)] as const);
    const result = Array.isArray(data)
      ? values.map(([, value]) => value)
      : Object.fromEntries(values);
    return result as unknown as T;
  };
  return [part(order.subarray(0, left)), part(order.subarray(total - right))];
}

function sizes(
  leftSize: number | undefined,
  rightSize: number | undefined,
  total: number,
): [number, number] {
  if (leftSize === undefined && rightSize === undefined) {
    throw new ValueError('splitDataset needs leftSize or rightSize');
  }
  const left = sizeOf('leftSize', leftSize, total);
  const right = sizeOf('rightSize', rightSize, total);
  const both = [left ?? total - (right as number), right ?? total - (left as number)] as const;
  if (both[0] > 0 && both[1] > 0 && both[0] + both[1] <= total) return [...both];
  throw new ValueError(
    `${total} rows cannot be split into ${both[0]} and ${both[1]}; give sizes above 0 whose sum is at most ${total}`,
  );
}
