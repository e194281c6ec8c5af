// SPDX-License-Identifier: MIT
// The reader of CSV files, row by row, for open_rows.ts.
import { FormatError, UnsupportedError } from '../../src/base/errors.js';
import {
  bareCell,
  columnCount,
  columnText,
  isHeading,
  numberOf,
  withoutEmptyEnd,
  wrongContent,
  wrongLength,
} from '../../src/formats/data/csv_cells.js';
import { type CsvRecord, CsvRecords } from '../../src/formats/data/csv_records.js';
import { findColumns, isName, keyColumns, lastOf } from './columns.js';
import { type RowInput, type RowInputs, rowWidth, type Width } from './model_input.js';
import type { ColumnOptions } from './options.js';
import { textOf } from './text_of.js';
import {
  type BadRow,
  type Fields,
  noFields,
  placeOf,
  type Row,
  type RowSource,
  type Start,
} from './rows.js';

/** Which columns of a table are values, and which pass through. */
interface Selection {
  headings: readonly string[];
  /** Null: all columns, as many as a row has. */
  values: readonly number[] | null;
  ids: readonly { index: number; name: string }[];
}

/** Lengths of rows: any, that of the model, or that of the first row. */
type Lengths = 'any' | 'model' | 'first';

const kMaxInt32 = 2 ** 31;

/** Turns the rows of a table into values for a model with one input. */
class TableReader {
  readonly #what: string;
  readonly #input: RowInput;
  readonly #options: ColumnOptions;
  readonly #ragged: boolean;
  readonly #isStrict: boolean;
  #selection: Selection | undefined;
  /** Number of columns of a row, when it is known. */
  #width: number | undefined;
  /** The number that the model declares. */
  #modelWidth: Width | null = null;

  constructor(what: string, input: RowInput, options: ColumnOptions, lengths: Lengths) {
    this.#what = what;
    this.#input = input;
    this.#options = options;
    this.#ragged = lengths === 'any';
    this.#isStrict = lengths === 'model';
  }

  read(records: readonly CsvRecord[]): (Row | BadRow)[] {
    const rows: (Row | BadRow)[] = [];
    for (const record of records) {
      if (this.#selection) rows.push(this.#row(record, this.#selection));
      else if (!this.#begin(record)) rows.push(this.#first(record));
    }
    return rows;
  }

  /** The first row without a heading; it may lack columns that the options name. */
  #first(record: CsvRecord): Row | BadRow {
    if (this.#selection) return this.#row(record, this.#selection);
    const { row: number, cells } = record;
    const place = placeOf({ unit: 'row', what: this.#what }, { number, fields: noFields });
    const error = new FormatError(
      `${place} has ${columnCount(cells.length)}, fewer than --columns and --id name`,
    );
    return { number, fields: noFields, error };
  }

  /** Selects the columns by the first row. Returns whether that is a heading. */
  #begin({ cells }: CsvRecord): boolean {
    const { header, columns, ids } = this.#options;
    const hasNames = [...(columns ?? []), ...(ids ?? [])].some(isName);
    const isHead = header ?? (hasNames || (!this.#input.isText && isHeading(cells)));
    const headings = isHead ? cells.map(bareCell) : [];
    const last = Math.max(...[...(columns ?? []), ...(ids ?? [])].map(lastOf), 0);
    if (!isHead && last > cells.length) return false;
    const find = (names: readonly string[]): number[] =>
      findColumns(names, headings, cells.length, this.#what);
    const idColumns = find(ids ?? []);
    const others = cells.map((_, i) => i).filter((i) => !idColumns.includes(i));
    const nameOf = (index: number): string => headings[index] || `column_${index + 1}`;
    this.#selection = {
      headings,
      values: columns ? find(columns) : ids ? others : null,
      ids: keyColumns(idColumns, nameOf, this.#what),
    };
    this.#width = isHead && hasNames ? cells.length : undefined;
    if (this.#isStrict && !columns) {
      this.#modelWidth = rowWidth(this.#input, new Set(idColumns).size);
    }
    return isHead;
  }

  /** The error about a row of the wrong length; null for the right one. */
  #checkWidth(used: number, place: () => string): FormatError | null {
    if (this.#ragged) return null;
    const model = this.#modelWidth;
    if (model && !model.fits(used)) {
      return new FormatError(`${place()} has ${columnCount(used)}, but ${model.text}`);
    }
    this.#width ??= used;
    return used === this.#width ? null : wrongLength(place(), used, this.#width);
  }

  #hasRows = false;

  #row({ row: number, cells }: CsvRecord, { headings, values, ids }: Selection): Row | BadRow {
    const fields: Fields =
      ids.length === 0
        ? noFields
        : ids.map(({ index, name }) => ({ name, value: cells[index] ?? '' }));
    this.#hasRows = true;
    const placeAt = (detail = ''): string =>
      placeOf({ unit: 'row', what: this.#what }, { number, fields }, detail);
    const wrong = (index: number, words: string): BadRow => {
      const place = placeAt(`, ${columnText(index, headings)}`);
      return { number, fields, error: new FormatError(`${place} ${words}`) };
    };
    const used = this.#ragged ? withoutEmptyEnd(cells) : cells;
    const error = this.#checkWidth(used.length, placeAt);
    if (error) return { number, fields, error };
    if (this.#input.isText) return this.#text(number, fields, values, cells);
    const numbers: number[] = [];
    const count = values ? values.length : used.length;
    for (let i = 0; i < count; i++) {
      const index = values ? (values[i] as number) : i;
      if (this.#ragged && index >= used.length) continue;
      const cell = used[index] as string;
      const value = numberOf(cell);
      if (value === null) return wrong(index, `is ${wrongContent(cell)}`);
      if (this.#input.dtype === 'int32' && !isInt32(value)) {
        return wrong(index, `is ${wrongContent(cell, 'an integer (int32)')}`);
      }
      numbers.push(value);
    }
    return { number, values: [numbers], fields };
  }

  #text(
    number: number,
    fields: Fields,
    values: readonly number[] | null,
    cells: readonly string[],
  ): Row {
    const texts = (values ?? cells.map((_, i) => i)).map((i) => cells[i] ?? '');
    return { number, values: [texts], fields };
  }

  /** Throws FormatError if there were no rows. */
  end(): void {
    if (this.#hasRows || this.#ragged) return;
    throw new FormatError(`${this.#what} has no rows of numbers`);
  }
}

const isInt32 = (value: number): boolean =>
  Number.isInteger(value) && value >= -kMaxInt32 && value < kMaxInt32;

/** The rows of a CSV file. The model must have one input. */
export function csvRows(
  source: AsyncIterable<Uint8Array>,
  what: string,
  { inputs, isStrict }: RowInputs,
  options: ColumnOptions,
  ragged: boolean,
): RowSource {
  const [input, ...others] = inputs;
  if (!input || others.length > 0) {
    throw new UnsupportedError(
      `a table has the values of one input, but the model has ${inputs.length}; use JSON lines with a field for each input (${inputs.map(({ name }) => name).join(', ')})`,
    );
  }
  const lengths = ragged ? 'any' : isStrict ? 'model' : 'first';
  const records = new CsvRecords(what);
  const reader = new TableReader(what, input, options, lengths);
  async function* part(
    bytes: AsyncIterable<Uint8Array>,
    start?: Start,
  ): AsyncGenerator<(Row | BadRow)[]> {
    if (start) records.skipTo(start.row);
    for await (const text of textOf(bytes, what, options.encoding, start))
      yield reader.read(records.push(text));
    yield reader.read(records.push('', true));
  }
  async function* all(): AsyncGenerator<(Row | BadRow)[]> {
    yield* part(source);
    reader.end();
  }
  return { what, unit: 'row', blocks: all(), part, endParts: () => reader.end() };
}
