// SPDX-License-Identifier: MIT
// `padSequences` of all entries. The core pads; this file reads rows of any form.
import { elementCount, sum } from '../base/array.js';
import { checkOptions } from '../base/check.js';
import { native, unwrap } from '../engine/engine.js';
import { ShapeError, ValueError } from '../base/errors.js';
import {
  hostArray,
  type PaddedArray,
  parse,
  parseDType,
  type Parsed,
} from '../engine/host_dtype.js';
import { isBigIntArray, isTypedArray } from '../base/nested.js';
import { type DType, type Tensor, tensor, wrapTensor } from '../tensor/tensor.js';

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
  const rows = Array.from(sequences);
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
 * @returns A tensor of shape [sequences, maxlen, …item]; padded steps hold `value`.
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
export function padSequences(sequences: readonly unknown[], options: PadOptions = {}): Tensor {
  return pad(sequences, options) as Tensor;
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
  const lengths = rows.map((row) => row.length);
  const settings = { maxlen, padding, truncating };
  const filler = parse([value].flat(Number.POSITIVE_INFINITY as 1), dtype, 'value');
  const width = elementCount(features);
  if (filler.length !== 1 && filler.length !== width) {
    throw new ShapeError(`value has ${filler.length} numbers but one item has shape [${features}]`);
  }
  const parsed = parse(items, dtype, 'item');
  return dtype.tensor
    ? asTensor(parsed, filler, features, lengths, settings, dtype.tensor)
    : asHostArray(parsed, filler, features, lengths, settings, options.dtype as string);
}

interface Settings {
  maxlen: number | null;
  padding: string;
  truncating: string;
}

function run(items: Tensor, lengths: number[], settings: Settings, value: Tensor): Tensor {
  try {
    return wrapTensor(unwrap(native().padSequences(items.handle, lengths, settings, value.handle)));
  } finally {
    items.dispose();
    value.dispose();
  }
}

function asTensor(
  items: Parsed,
  value: Parsed,
  features: number[],
  lengths: number[],
  settings: Settings,
  dtype: 'float32' | 'int32' | 'bool',
): Tensor {
  const total = sum(lengths);
  const flat = tensor(items as number[], { dtype, shape: [total, ...features] });
  const isScalar = value.length === 1;
  return run(
    flat,
    lengths,
    settings,
    tensor(value as number[], { dtype, shape: isScalar ? [] : features }),
  );
}

// JavaScript arrays need eight or more bytes per item.
const kMaxItems = 2 ** 26;

// The core pads the indices of the items; the items are then looked up.
function asHostArray(
  items: Parsed,
  value: Parsed,
  features: number[],
  lengths: number[],
  settings: Settings,
  dtype: string,
): PaddedArray {
  const total = sum(lengths);
  const index = tensor(
    Int32Array.from({ length: total }, (_, i) => i),
    { dtype: 'int32' },
  );
  const padded = run(index, lengths, settings, tensor(-1, { dtype: 'int32' }));
  const indices = padded.data();
  const shape = [...padded.shape, ...features];
  padded.dispose();
  const width = elementCount(features);
  if (indices.length * width > kMaxItems) {
    throw new ShapeError(
      `padded sequences of shape [${shape}] have ${indices.length * width} items of dtype ${dtype}, more than ${kMaxItems}; use a smaller maxlen, fewer rows, or dtype 'float32', 'int32' or 'bool'`,
    );
  }
  const out: unknown[] = [];
  for (const i of indices) {
    for (let k = 0; k < width; k++) {
      out.push(i < 0 ? value[value.length === 1 ? 0 : k] : items[i * width + k]);
    }
  }
  return hostArray(out, shape, dtype);
}
