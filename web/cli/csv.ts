// SPDX-License-Identifier: MIT
// The reader of a CSV file of numbers that is read as a whole; run/csv_rows.ts reads row by row.
import { FormatError } from '../src/base/errors.js';
import { Budget } from '../src/formats/open/budget.js';
import {
  bareCell,
  columnText,
  isHeading,
  numberOf,
  withoutEmptyEnd,
  wrongContent,
  wrongLength,
} from '../src/formats/data/csv_cells.js';
import { type CsvRecord, CsvRecords } from '../src/formats/data/csv_records.js';

/** A table of numbers: those of all rows in one list, and the length of each row. */
export interface Table {
  data: number[];
  lengths: number[];
}

const kPiece = 2 ** 16;

/** Yields row by row: a list of all rows would need the memory of the text again. */
function* recordsOf(text: string, what: string): Generator<CsvRecord> {
  const records = new CsvRecords(what);
  for (let from = 0; from < text.length; from += kPiece) {
    yield* records.push(text.slice(from, from + kPiece), from + kPiece >= text.length);
  }
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
  let headings: string[] | undefined;
  for (const { row, cells: all } of recordsOf(text, what)) {
    budget.spend('nodes', all.length, what);
    const isHead = headings === undefined && isHeading(all);
    headings ??= isHead ? all.map(bareCell) : [];
    if (isHead) continue;
    const cells = ragged ? withoutEmptyEnd(all) : all;
    for (const [column, cell] of cells.entries()) {
      const number = numberOf(cell);
      if (number === null) {
        const place = `row ${row}, ${columnText(column, headings)} of ${what}`;
        throw new FormatError(`${place} is ${wrongContent(cell)}`);
      }
      table.data.push(number);
    }
    const first = table.lengths[0] ?? cells.length;
    if (!ragged && cells.length !== first) {
      throw wrongLength(`row ${row} of ${what}`, cells.length, first);
    }
    table.lengths.push(cells.length);
  }
  if (table.data.length === 0) throw new FormatError(`${what} has no rows of numbers`);
  return table;
}

/** A number as a cell of CSV. */
export const numberCell = (value: number): string =>
  Number.isFinite(value) ? String(value) : Number.isNaN(value) ? 'nan' : value > 0 ? 'inf' : '-inf';
