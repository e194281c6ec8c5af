// SPDX-License-Identifier: MIT
import { FormatError } from '../src/errors.js';
import { Budget } from '../src/formats/budget.js';
import type { PlainArray } from '../src/formats/recorded.js';

const words = new Map([
  ['nan', Number.NaN],
  ['inf', Number.POSITIVE_INFINITY],
  ['infinity', Number.POSITIVE_INFINITY],
  ['-inf', Number.NEGATIVE_INFINITY],
  ['-infinity', Number.NEGATIVE_INFINITY],
]);
const kLongestWord = 16;

/** Null for what is no number; an empty cell is none. */
function numberOf(cell: string): number | null {
  const bare = cell.trim();
  const quoted = bare.length > 1 && bare.startsWith('"') && bare.endsWith('"');
  const text = quoted ? bare.slice(1, -1) : bare;
  const word = words.get(text.slice(0, kLongestWord).toLowerCase());
  if (word !== undefined) return word;
  const number = text === '' ? Number.NaN : Number(text);
  return Number.isFinite(number) ? number : null;
}

/** Tabs, else semicolons, else commas. */
const separatorOf = (line: string): string =>
  ['\t', ';'].find((separator) => line.includes(separator)) ?? ',';

/** A table of numbers, [rows, columns]; a first line with words in it is a heading. FormatError names the line. */
export function readCsv(text: string, what: string, budget = Budget.ofData()): PlainArray {
  let columns = 0;
  let number = 0;
  let heading = true;
  let separator: string | undefined;
  const data: number[] = [];
  for (const line of linesOf(text)) {
    number++;
    if (line.trim() === '') continue;
    separator ??= separatorOf(line);
    const cells = line.split(separator);
    budget.spend('nodes', cells.length, what);
    const numbers = cells.map(numberOf);
    const strange = numbers.indexOf(null);
    if (strange >= 0 && !heading) {
      throw new FormatError(
        `line ${number} of ${what}: '${cells[strange]?.slice(0, 80)}' is no number`,
      );
    }
    heading = false;
    if (strange >= 0) continue;
    columns ||= numbers.length;
    if (numbers.length !== columns) {
      throw new FormatError(
        `line ${number} of ${what} has ${numbers.length} columns, but the first row ${columns}; pad the rows`,
      );
    }
    for (const value of numbers) data.push(value as number);
  }
  if (data.length === 0) throw new FormatError(`${what} has no rows of numbers`);
  return { shape: [data.length / columns, columns], dtype: 'float32', data };
}

/** One after the other: a list of all would take as much memory again. */
function* linesOf(text: string): Generator<string> {
  let from = 0;
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
    yield text.slice(from, end);
    from = end + 1;
  }
  yield text.slice(from);
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
