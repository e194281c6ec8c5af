// SPDX-License-Identifier: MIT
// Padding of ragged rows by the options of the command, like those of `padSequences`.
import { FormatError, ShapeError } from '../src/base/errors.js';
import { padSequences } from '../src/index.js';
import type { PlainArray } from '../src/formats/verify/recorded.js';
import type { Ragged } from './data.js';
import { printError } from './print.js';

/** Options of `padSequences`, as the command line sets them. */
export interface Padding {
  padding: 'pre' | 'post';
  truncating: 'pre' | 'post';
  /** Steps per row; null: the model's length, else that of the longest row. */
  maxlen: number | null;
  value: number;
}

type Shape = readonly (number | null)[];

function checkNumbers(value: unknown, what: string, row: number): void {
  if (Array.isArray(value)) {
    for (const item of value) checkNumbers(item, what, row);
  } else if (typeof value !== 'number' && typeof value !== 'boolean') {
    throw new FormatError(
      `row ${row} of ${what} has ${JSON.stringify(value)}, which is not a number`,
    );
  }
}

function rowsOf({ rows, what }: Ragged): unknown[][] {
  return rows.map((row, i) => {
    if (!Array.isArray(row)) {
      throw new FormatError(
        `row ${i + 1} of ${what} is not an array; --pad needs an array for each row`,
      );
    }
    checkNumbers(row, what, i + 1);
    return row;
  });
}

/** Splits a row of numbers into steps, for a model with several features per step. */
function stepsOf(row: readonly unknown[], features: number, at: string): unknown[] {
  if (row.some(Array.isArray)) return [...row];
  if (row.length % features !== 0) {
    throw new ShapeError(
      `${at} has ${row.length} numbers, which is not a multiple of the model's ${features} features per step`,
    );
  }
  return Array.from({ length: row.length / features }, (_, i) =>
    row.slice(i * features, (i + 1) * features),
  );
}

/** Prints how many rows were cut, if any. */
export function noteCut(cut: number, rows: number, maxlen: number, padding: Padding): void {
  if (cut === 0) return;
  const side = padding.truncating === 'pre' ? 'beginning' : 'end';
  printError(
    `maskflow: note: ${cut} of ${rows} rows are longer than ${maxlen} and were cut at the ${side}`,
  );
}

/** Number of steps after padding; null if the longest row decides. */
export const paddedLength = (shape: Shape, padding: Padding): number | null =>
  padding.maxlen ?? shape[1] ?? null;

/** The steps of a row for an input of the given shape; `at` is the place of the row. */
export const toSteps = (
  row: readonly unknown[],
  shape: Shape,
  at: { toString(): string },
): unknown[] => {
  const features = shape.length === 3 ? (shape[2] ?? null) : null;
  return features === null ? [...row] : stepsOf(row, features, String(at));
};

/** Pads and cuts rows to one length, for an input of the given shape. */
export function pad(ragged: Ragged, shape: Shape, padding: Padding): PlainArray {
  const rows = rowsOf(ragged).map((row, i) =>
    toSteps(row, shape, `row ${i + 1} of ${ragged.what}`),
  );
  const maxlen = paddedLength(shape, padding);
  if (maxlen !== null) {
    const cut = rows.filter((row) => row.length > maxlen).length;
    noteCut(cut, rows.length, maxlen, padding);
  }
  return padRows(rows, maxlen, padding);
}

/** Pads and cuts rows of steps to `maxlen` steps; null: to the length of the longest. */
export function padRows(
  rows: readonly unknown[][],
  maxlen: number | null,
  padding: Padding,
): PlainArray {
  // float64 keeps all numbers of the file; the dtype of the input is checked later.
  const { shape: padded, data } = padSequences(rows, { ...padding, maxlen, dtype: 'float64' });
  return { shape: [...padded], dtype: 'float64', data: data as unknown as ArrayLike<number> };
}
