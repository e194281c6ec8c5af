// SPDX-License-Identifier: MIT
import { FormatError } from '../src/base/errors.js';
import { Budget } from '../src/formats/open/budget.js';

const words = new Map([
  ['nan', Number.NaN],
  ['inf', Number.POSITIVE_INFINITY],
  ['infinity', Number.POSITIVE_INFINITY],
  ['-inf', Number.NEGATIVE_INFINITY],
  ['-infinity', Number.NEGATIVE_INFINITY],
]);
const kLongestWord = 16;
const kLongestShown = 40;

/** Returns the number in a cell; null for other text and for an empty cell. */
function numberOf(cell: string): number | null {
  const word = words.get(cell.slice(0, kLongestWord).toLowerCase());
  if (word !== undefined) return word;
  const number = cell === '' ? Number.NaN : Number(cell);
  return Number.isFinite(number) ? number : null;
}

/** Returns the separator of a line: a tab if the line has one, else a semicolon, else a comma. */
const separatorOf = (line: string): string =>
  ['\t', ';'].find((separator) => line.includes(separator)) ?? ',';

/** Returns a cell without the blanks and quotes around it. */
function bareCell(cell: string): string {
  const bare = cell.trim();
  const isQuoted = bare.length > 1 && bare.startsWith('"') && bare.endsWith('"');
  return isQuoted ? bare.slice(1, -1).replaceAll('""', '"').trim() : bare;
}

/** Splits a line. A separator inside quotes is part of its cell. */
function cellsOf(line: string, separator: string): string[] {
  if (!line.includes('"')) return line.split(separator).map((cell) => cell.trim());
  const cells = [''];
  let isQuoted = false;
  for (const character of line) {
    if (character === '"') isQuoted = !isQuoted;
    if (character === separator && !isQuoted) cells.push('');
    else cells[cells.length - 1] += character;
  }
  return cells.map(bareCell);
}

function withoutEmptyEnd(cells: readonly string[]): readonly string[] {
  let end = cells.length;
  while (end > 0 && cells[end - 1] === '') end--;
  return cells.slice(0, end);
}

/** A table of numbers: those of all rows in one list, and the length of each row. */
export interface Table {
  data: number[];
  lengths: number[];
}

/** The position of a row in its file, for messages. */
interface Place {
  what: string;
  row: number;
  headings: readonly string[];
}

function wrongCell({ what, row, headings }: Place, column: number, cell: string): FormatError {
  const name = headings[column] ? ` ('${headings[column].slice(0, kLongestShown)}')` : '';
  const content = cell === '' ? 'empty' : `'${cell.slice(0, kLongestShown)}'`;
  return new FormatError(
    `row ${row}, column ${column + 1}${name} of ${what} is ${content}, but must be a number`,
  );
}

function numbersOf(cells: readonly string[], place: Place): number[] {
  return cells.map((cell, column) => {
    const number = numberOf(cell);
    if (number === null) throw wrongCell(place, column, cell);
    return number;
  });
}

const isHeading = (cells: readonly string[]): boolean =>
  cells.some((cell) => cell !== '') && cells.every((cell) => numberOf(cell) === null);

function checkLength(length: number, first: number, { what, row }: Place): void {
  if (length === first) return;
  throw new FormatError(
    `row ${row} of ${what} has ${count(length)}, but the first row of numbers has ${first}; use --pad to make rows equally long`,
  );
}

/**
 * Reads a table of numbers. A first row without numbers is a heading. FormatError for a cell that
 * is not a number names its row and column, counted as in a spreadsheet. Rows must be equally long,
 * unless `ragged`, which ignores empty cells at their ends.
 */
export function readCsv(
  text: string,
  what: string,
  { budget = Budget.ofData(), ragged = false } = {},
): Table {
  const table: Table = { data: [], lengths: [] };
  const place: Place = { what, row: 0, headings: [] };
  let separator: string | undefined;
  let hasBegun = false;
  for (const line of linesOf(text)) {
    place.row++;
    if (line.trim() === '') continue;
    separator ??= separatorOf(line);
    const all = cellsOf(line, separator);
    budget.spend('nodes', all.length, what);
    const isHead = !hasBegun && isHeading(all);
    hasBegun = true;
    if (isHead) {
      place.headings = all;
      continue;
    }
    const numbers = numbersOf(ragged ? withoutEmptyEnd(all) : all, place);
    if (!ragged) checkLength(numbers.length, table.lengths[0] ?? numbers.length, place);
    for (const number of numbers) table.data.push(number);
    table.lengths.push(numbers.length);
  }
  if (table.data.length === 0) throw new FormatError(`${what} has no rows of numbers`);
  return table;
}

const count = (columns: number): string => `${columns} column${columns === 1 ? '' : 's'}`;

/** Yields line by line: a list of all lines would need the same memory again. */
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

/** Writes one line per row of the batch. */
export function writeCsv(shape: readonly number[], data: ArrayLike<number>): string {
  const rows = shape[0] ?? 1;
  const columns = rows === 0 ? 0 : data.length / rows;
  const line = (row: number): string =>
    Array.from({ length: columns }, (_, i) => cellOf(data[row * columns + i] as number)).join(',');
  return Array.from({ length: rows }, (_, row) => `${line(row)}\n`).join('');
}
