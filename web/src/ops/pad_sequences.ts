// SPDX-License-Identifier: MIT
// `padSequences` of all entries. It needs no wasm: a page that only pads contains none.
import { elementCount } from '../base/array.js';
import { checkAttached } from '../base/attached.js';
import { checkOptions } from '../base/check.js';
import { hasStarted } from '../engine/engine.js';
import { ShapeError, ValueError } from '../base/errors.js';
import { hostArray, type PaddedArray, parse, parseDType } from '../engine/host_dtype.js';
import { isBigIntArray, isTypedArray } from '../base/nested.js';
import { layoutOf, writeRows } from './pad_rows.js';
import {
  type DType,
  emptyTensor,
  type Tensor,
  type TensorData,
  unsentTensor,
} from '../tensor/tensor.js';

/** Options of {@link padSequences}. */
export interface PadOptions {
  /** Number of steps of each row, a whole number. Default: that of the longest sequence. */
  maxlen?: number | null;
  /**
   * 'int32', 'float32' or 'bool' for a Tensor; another NumPy dtype for a {@link PaddedArray}.
   * Default: 'int32'.
   */
  dtype?: DType | (string & {});
  /** Side of the padding. Recurrent layers with masks usually need 'post'. Default: 'pre'. */
  padding?: 'pre' | 'post';
  /** Side on which sequences longer than `maxlen` are cut. Default: 'pre'. */
  truncating?: 'pre' | 'post';
  /** Value of the padding; a list for sequences of vectors. Default: 0. */
  value?: unknown;
}

type Items = ArrayLike<unknown>;

const isSequence = (value: unknown): value is Items =>
  Array.isArray(value) || isTypedArray(value) || isBigIntArray(value);

function checkSequences(sequences: unknown): Items[] {
  if (!isSequence(sequences)) throw new ValueError('padSequences needs a list of sequences');
  if (ArrayBuffer.isView(sequences)) checkAttached(sequences);
  const rows = Array.from(sequences);
  for (const row of rows) if (ArrayBuffer.isView(row)) checkAttached(row);
  const row = rows.findIndex((item) => !isSequence(item) && typeof item !== 'string');
  if (row >= 0)
    throw new ValueError(`sequence ${row} is ${String(rows[row])}, not a list of items`);
  const text = rows.findIndex((item) => typeof item === 'string');
  if (text >= 0)
    throw new ValueError(`sequence ${text} is a string; split it into a list of items first`);
  return rows as Items[];
}

/** Shape of one item, from the first sequence that has one. */
function featureShape(rows: Items[]): number[] {
  const shape: number[] = [];
  let item: unknown = rows.find((row) => row.length > 0)?.[0];
  while (isSequence(item)) {
    shape.push(item.length);
    item = item[0];
  }
  return shape;
}

function collect(item: unknown, shape: number[], depth: number, row: number, out: unknown[]): void {
  const expected = shape[depth];
  if (
    isSequence(item) !== (expected !== undefined) ||
    (isSequence(item) && item.length !== expected)
  ) {
    const got = isSequence(item) ? `${item.length} values` : 'a single value';
    throw new ShapeError(
      `an item of sequence ${row} has ${got} where the first one has shape [${shape}]; all need the same`,
    );
  }
  if (!isSequence(item)) {
    out.push(item);
    return;
  }
  for (let i = 0; i < item.length; i++) collect(item[i], shape, depth + 1, row, out);
}

function checkMaxlen(maxlen: unknown): number | null {
  if (maxlen === null || maxlen === undefined) return null;
  if (typeof maxlen !== 'number' || !Number.isInteger(maxlen)) {
    throw new ValueError(`maxlen is ${String(maxlen)} but must be a whole number`);
  }
  return maxlen;
}

/**
 * Pads or cuts sequences to the same length, as `keras.utils.pad_sequences`. Numbers are cast as in
 * NumPy: floats are rounded towards zero to integers.
 *
 * Throws ValueError for a value out of the dtype's range, and ShapeError if items differ in shape.
 *
 * @param sequences A list of rows. A row is a list or typed array of items: numbers, or lists of
 *   numbers of one shape. 64-bit integers must be at most 2⁵³ - 1 in size.
 * @returns A tensor of shape [sequences, maxlen, …item]; padded steps hold `value`. It may be
 *   created and read before `ready()`; layers, ops and masks need `ready()`.
 */
export function padSequences(
  sequences: readonly unknown[],
  options?: PadOptions & { dtype?: DType },
): Tensor;
/**
 * With a dtype that tensors do not have, returns a {@link PaddedArray}.
 *
 * @param sequences A list of rows, as above; items may also be texts.
 */
export function padSequences(
  sequences: readonly unknown[],
  options: PadOptions,
): Tensor | PaddedArray;
/**
 * With the number of steps alone, as in Keras.
 *
 * @param sequences A list of rows, as above.
 * @param maxlen Number of steps of each row, a whole number.
 */
export function padSequences(sequences: readonly unknown[], maxlen: number): Tensor;
export function padSequences(
  sequences: readonly unknown[],
  options: number | PadOptions = {},
): Tensor {
  return pad(sequences, typeof options === 'number' ? { maxlen: options } : options) as Tensor;
}

function pad(sequences: unknown, options: PadOptions): Tensor | PaddedArray {
  const checked = checkOptions(options, {
    maxlen: 1,
    dtype: 1,
    padding: 1,
    truncating: 1,
    value: 1,
  });
  const { padding = 'pre', truncating = 'pre', value = 0 } = checked;
  const rows = checkSequences(sequences);
  const dtype = parseDType(options.dtype ?? 'int32');
  const maxlen = checkMaxlen(options.maxlen);
  const features = featureShape(rows);
  const items: unknown[] = [];
  rows.forEach((row, r) => {
    for (let i = 0; i < row.length; i++) collect(row[i], features, 0, r, items);
  });
  const filler = parse([value].flat(Number.POSITIVE_INFINITY as 1), dtype, 'value');
  const size = elementCount(features);
  if (filler.length !== 1 && filler.length !== size) {
    throw new ShapeError(`value has ${filler.length} numbers but one item has shape [${features}]`);
  }
  const content = { items: parse(items, dtype, 'item'), filler, size };
  const lengths = rows.map((row) => row.length);
  const layout = layoutOf(lengths, { maxlen, padding, truncating });
  const shape = [rows.length, layout.width, ...features];
  const write = (out: unknown[] | TensorData): void => writeRows(out as unknown[], layout, content);
  if (dtype.tensor) return asTensor(dtype.tensor, shape, write);
  checkCount(shape, options.dtype as string, "dtype 'float32', 'int32' or 'bool'");
  const out = new Array<unknown>(elementCount(shape));
  write(out);
  return hostArray(out, shape, options.dtype as string);
}

// JavaScript arrays need eight or more bytes per item.
const kMaxItems = 2 ** 26;

function checkCount(shape: number[], dtype: string, remedy: string): void {
  const count = elementCount(shape);
  if (count > kMaxItems) {
    throw new ShapeError(
      `padded sequences of shape [${shape}] have ${count} items of dtype ${dtype}, more than ${kMaxItems}; use a smaller maxlen, fewer rows, or ${remedy}`,
    );
  }
}

const arrays = { float32: Float32Array, int32: Int32Array, bool: Uint8Array };

function asTensor(dtype: DType, shape: number[], write: (out: TensorData) => void): Tensor {
  if (hasStarted()) {
    const result = emptyTensor(dtype, shape);
    result.read(write);
    return result;
  }
  if (shape.length > 8) throw new ShapeError('a tensor has at most 8 dimensions');
  checkCount(shape, dtype, 'call `await ready()` first');
  const elements = new arrays[dtype](elementCount(shape));
  write(elements);
  return unsentTensor(dtype, shape, elements);
}
