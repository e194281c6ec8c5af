// SPDX-License-Identifier: MIT
import { FormatError } from '../src/errors.js';
import type { PlainArray } from '../src/formats/recorded.js';

const words: { [word: string]: number } = {
  nan: Number.NaN,
  inf: Number.POSITIVE_INFINITY,
  '-inf': Number.NEGATIVE_INFINITY,
};

/** Null for what is no number; an empty cell is none. */
function numberOf(cell: string): number | null {
  const text = cell.trim().replace(/^"(.*)"$/, '$1');
  const word = words[text.toLowerCase().replace(/inity$/, '')];
  if (word !== undefined) return word;
  const number = text === '' ? Number.NaN : Number(text);
  return Number.isFinite(number) ? number : null;
}

/** Tabs, else semicolons, else commas. */
const separatorOf = (line: string): string =>
  ['\t', ';'].find((separator) => line.includes(separator)) ?? ',';

/** A table of numbers, [rows, columns]; a first line with words in it is a heading. FormatError names the line. */
export function readCsv(text: string, what: string): PlainArray {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const separator = separatorOf(lines.find((line) => line.trim() !== '') ?? '');
  const rows: number[][] = [];
  let heading = true;
  for (const [i, line] of lines.entries()) {
    if (line.trim() === '') continue;
    const cells = line.split(separator);
    const numbers = cells.map(numberOf);
    const strange = numbers.indexOf(null);
    if (strange >= 0 && !heading) {
      throw new FormatError(`line ${i + 1} of ${what}: '${cells[strange]}' is no number`);
    }
    heading = false;
    if (strange >= 0) continue;
    const first = rows[0]?.length ?? numbers.length;
    if (numbers.length !== first) {
      throw new FormatError(
        `line ${i + 1} of ${what} has ${numbers.length} columns, but the first row ${first}; pad the rows`,
      );
    }
    rows.push(numbers as number[]);
  }
  if (rows.length === 0) throw new FormatError(`${what} has no rows of numbers`);
  const columns = rows[0]?.length ?? 0;
  return { shape: [rows.length, columns], dtype: 'float32', data: rows.flat() };
}

const cellOf = (value: number): string =>
  Number.isFinite(value) || Number.isNaN(value)
    ? String(value).toLowerCase()
    : value > 0
      ? 'inf'
      : '-inf';

/** A line for each row of the batch. */
export function writeCsv(shape: readonly number[], data: ArrayLike<number>): string {
  const rows = shape[0] ?? 1;
  const columns = rows === 0 ? 0 : data.length / rows;
  const line = (row: number): string =>
    Array.from({ length: columns }, (_, i) => cellOf(data[row * columns + i] as number)).join(',');
  return Array.from({ length: rows }, (_, row) => `${line(row)}\n`).join('');
}
