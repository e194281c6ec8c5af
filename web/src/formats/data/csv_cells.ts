// SPDX-License-Identifier: MIT
// Cells of tables: which are numbers, and how an error names one that is not.
import { FormatError } from '../../base/errors.js';

const words = new Map([
  ['nan', Number.NaN],
  ['inf', Number.POSITIVE_INFINITY],
  ['infinity', Number.POSITIVE_INFINITY],
  ['-inf', Number.NEGATIVE_INFINITY],
  ['-infinity', Number.NEGATIVE_INFINITY],
]);
const kLongestWord = 16;
const kLongestShown = 40;

/** A cell without the blanks around it. */
export const bareCell = (cell: string): string => cell.trim();

/** The number in a cell; null for other text and for an empty cell. */
export function numberOf(cell: string): number | null {
  const number = Number(cell);
  // Most cells end here; an empty one would be 0.
  if (number !== 0 && Number.isFinite(number)) return number;
  const bare = bareCell(cell);
  if (bare === '') return null;
  const plain = Number(bare);
  if (Number.isFinite(plain)) return plain;
  return words.get(bare.slice(0, kLongestWord).toLowerCase()) ?? null;
}

/** True for a row without any number, and not of empty cells alone. */
export const isHeading = (cells: readonly string[]): boolean =>
  cells.some((cell) => bareCell(cell) !== '') && cells.every((cell) => numberOf(cell) === null);

/** A row without the empty cells at its end. */
export function withoutEmptyEnd(cells: readonly string[]): readonly string[] {
  let end = cells.length;
  while (end > 0 && bareCell(cells[end - 1] as string) === '') end--;
  return end === cells.length ? cells : cells.slice(0, end);
}

/** Words and blanks of an error about a cell: `'x', but must be a number`. */
export function wrongContent(cell: string, needed = 'a number'): string {
  const bare = bareCell(cell);
  const content = bare === '' ? 'empty' : `'${bare.slice(0, kLongestShown)}'`;
  return `${content}, but must be ${needed}`;
}

/** The place of a cell: `column 2 ('second')`. */
export function columnText(column: number, headings: readonly string[]): string {
  const heading = headings[column];
  return `column ${column + 1}${heading ? ` ('${heading.slice(0, kLongestShown)}')` : ''}`;
}

export const columnCount = (columns: number): string =>
  `${columns} column${columns === 1 ? '' : 's'}`;

/** The error about a row that is longer or shorter than the first one. */
export const wrongLength = (place: string, length: number, first: number): FormatError =>
  new FormatError(
    `${place} has ${columnCount(length)}, but the first row of numbers has ${first}; use --pad to make rows equally long`,
  );
