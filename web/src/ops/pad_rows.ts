// SPDX-License-Identifier: MIT
// Where `padSequences` puts the items of each row.
import { sum } from '../base/array.js';
import { show } from '../base/check.js';
import { ConfigError, ShapeError, ValueError } from '../base/errors.js';

/** Options of padding as the caller passed them. */
interface Rules {
  readonly maxlen: number | null;
  readonly padding: unknown;
  readonly truncating: unknown;
}

/** Number of items of each row, and how rows are made equally long. */
export interface Layout {
  readonly lengths: readonly number[];
  readonly width: number;
  /** Whether padding is in front. */
  readonly padsFront: boolean;
  /** Whether rows that are too long lose their first items. */
  readonly cutsFront: boolean;
}

const maxDim = 2 ** 31 - 1;

function isPre(side: string, option: string): boolean {
  if (side !== 'pre' && side !== 'post')
    throw new ValueError(`'${option}' is '${side}' but must be 'pre' or 'post'`);
  return side === 'pre';
}

function textOf(side: unknown, option: string): string {
  if (typeof side === 'string') return side;
  throw new ConfigError(`'${option}' must be a string, but is ${show(side)}`);
}

function widthOf(lengths: readonly number[], maxlen: number | null): number {
  if (maxlen === null) {
    if (lengths.length > 0) return lengths.reduce((max, length) => Math.max(max, length), 0);
    throw new ValueError('there are no sequences to measure; set maxlen');
  }
  if (maxlen < 0) throw new ValueError(`maxlen is ${maxlen} but must be at least 0`);
  if (maxlen <= maxDim) return maxlen;
  throw new ShapeError(`a dimension of ${maxlen} is too large; the largest is ${maxDim}`);
}

/**
 * Returns how rows of these lengths are padded. As in Keras, the words of the sides are checked
 * only if a row has items.
 */
export function layoutOf(lengths: readonly number[], rules: Rules): Layout {
  const padding = textOf(rules.padding, 'padding');
  const truncating = textOf(rules.truncating, 'truncating');
  const width = widthOf(lengths, rules.maxlen);
  const hasItems = sum(lengths) > 0;
  const cutsFront = hasItems && isPre(truncating, 'truncating');
  const padsFront = hasItems && isPre(padding, 'padding');
  // Keras slices [-0:] here, which is the whole sequence, so the shapes do not fit.
  if (width === 0 && cutsFront) {
    throw new ValueError(
      "maxlen 0 with truncating 'pre' is an error in Keras; use truncating 'post'",
    );
  }
  return { lengths, width, padsFront, cutsFront };
}

/** An array that can be filled: typed, or not. */
interface Fillable {
  [index: number]: unknown;
  readonly length: number;
  fill(value: unknown): unknown;
}

/**
 * Writes the padded rows to `out`, [rows, width, size]. `items` are those of all rows in order;
 * `filler` is one item, or one value that all of them repeat.
 */
export function writeRows(
  out: Fillable,
  { lengths, width, padsFront, cutsFront }: Layout,
  { items, filler, size }: { items: ArrayLike<unknown>; filler: ArrayLike<unknown>; size: number },
): void {
  if (filler.length === 1) out.fill(filler[0]);
  else for (let i = 0; i < out.length; i++) out[i] = filler[i % size];
  let from = 0;
  lengths.forEach((length, row) => {
    const kept = Math.min(length, width);
    const first = from + (cutsFront ? length - kept : 0) * size;
    const to = (row * width + (padsFront ? width - kept : 0)) * size;
    for (let i = 0; i < kept * size; i++) out[to + i] = items[first + i];
    from += length * size;
  });
}
