// SPDX-License-Identifier: MIT
import { FormatError, UnsupportedError } from '../../src/base/errors.js';
import {
  bareCell,
  columnText,
  isHeading,
  numberOf,
  withoutEmptyEnd,
  wrongContent,
  wrongLength,
} from '../../src/formats/data/csv_cells.js';
import { type CsvRecord, CsvRecords } from '../../src/formats/data/csv_records.js';
import type { ByteSource } from './byte_source.js';
import { findColumns, isName } from './columns.js';
import type { RowInput, RowInputs } from './model_input.js';
import type { ColumnOptions } from './options.js';
import { type BadRow, type Fields, noFields, placeOf, type Row, type RowSource } from './rows.js';

/** Which columns of a table are values, and which pass through. */
interface Selection {
  headings: readonly string[];
  /** Null: all columns, as many as a row has. */
  values: readonly number[] | null;
  ids: readonly { index: number; name: string }[];
}

const kMostInt32 = 2 ** 31;

/** Turns the rows of a table into values for a model with one input. */
class TableReader {
  readonly #what: string;
  readonly #input: RowInput;
  readonly #options: ColumnOptions;
  readonly #ragged: boolean;
  #selection: Selection | undefined;
  #width: number | undefined;

  constructor(what: string, input: RowInput, options: ColumnOptions, ragged: boolean) {
    this.#what = what;
    this.#input = input;
    this.#options = options;
    this.#ragged = ragged;
  }

  read(records: readonly CsvRecord[]): (Row | BadRow)[] {
    const rows: (Row | BadRow)[] = [];
    for (const record of records) {
      if (this.#selection) rows.push(this.#row(record, this.#selection));
      else if (!this.#begin(record.cells)) rows.push(this.#row(record, this.#begun()));
    }
    return rows;
  }

  #begun(): Selection {
    return this.#selection as Selection;
  }

  /** Selects the columns by the first row. Returns whether that is a heading. */
  #begin(cells: readonly string[]): boolean {
    const { header, columns, ids } = this.#options;
    const hasNames = [...(columns ?? []), ...(ids ?? [])].some(isName);
    const isHead = header ?? (hasNames || (!this.#input.isText && isHeading(cells)));
    const headings = isHead ? cells.map(bareCell) : [];
    const find = (names: readonly string[]): number[] =>
      findColumns(names, headings, cells.length, this.#what);
    const idColumns = find(ids ?? []);
    const others = cells.map((_, i) => i).filter((i) => !idColumns.includes(i));
    this.#selection = {
      headings,
      values: columns ? find(columns) : ids ? others : null,
      ids: idColumns.map((index) => ({ index, name: headings[index] || `column_${index + 1}` })),
    };
    this.#width = this.#ragged ? undefined : isHead && hasNames ? cells.length : undefined;
    return isHead;
  }

  #row({ row: number, cells }: CsvRecord, { headings, values, ids }: Selection): Row | BadRow {
    const fields: Fields =
      ids.length === 0
        ? noFields
        : Object.fromEntries(ids.map(({ index, name }) => [name, bareCell(cells[index] ?? '')]));
    const file = { unit: 'row', what: this.#what };
    const wrong = (detail: string, words: string): BadRow => {
      const place = placeOf(file, { number, fields }, detail);
      return { number, fields, error: new FormatError(`${place} ${words}`) };
    };
    const used = this.#ragged ? withoutEmptyEnd(cells) : cells;
    if (!this.#ragged) {
      this.#width ??= used.length;
      if (used.length !== this.#width) {
        const place = placeOf(file, { number, fields });
        return { number, fields, error: wrongLength(place, used.length, this.#width) };
      }
    }
    const at = (index: number): string => `, ${columnText(index, headings)}`;
    if (this.#input.isText) return this.#text(number, fields, values, cells);
    const numbers: number[] = [];
    const count = values ? values.length : used.length;
    for (let i = 0; i < count; i++) {
      const index = values ? (values[i] as number) : i;
      if (this.#ragged && index >= used.length) continue;
      const cell = used[index] as string;
      const value = numberOf(cell);
      if (value === null) return wrong(at(index), `is ${wrongContent(cell)}`);
      if (this.#input.dtype === 'int32' && !isInt32(value)) {
        return wrong(at(index), `is ${wrongContent(cell, 'an integer (int32)')}`);
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
    if (this.#width !== undefined || this.#ragged) return;
    throw new FormatError(`${this.#what} has no rows of numbers`);
  }
}

const isInt32 = (value: number): boolean =>
  Number.isInteger(value) && value >= -kMostInt32 && value < kMostInt32;

/** The rows of a CSV file. The model must have one input. */
export function csvRows(
  source: ByteSource,
  what: string,
  { inputs }: RowInputs,
  options: ColumnOptions,
  ragged: boolean,
): RowSource {
  const [input, ...others] = inputs;
  if (!input || others.length > 0) {
    throw new UnsupportedError(
      `a table has the values of one input, but the model has ${inputs.length}; use JSON lines with a field for each input (${inputs.map(({ name }) => name).join(', ')})`,
    );
  }
  return { what, unit: 'row', blocks: tableBlocks(source, what, input, options, ragged) };
}

async function* tableBlocks(
  source: ByteSource,
  what: string,
  input: RowInput,
  options: ColumnOptions,
  ragged: boolean,
): AsyncGenerator<(Row | BadRow)[]> {
  const records = new CsvRecords(what);
  const reader = new TableReader(what, input, options, ragged);
  for await (const text of textOf(source, what)) yield reader.read(records.push(text));
  yield reader.read(records.push('', true));
  reader.end();
}

/** Decodes text piece by piece. FormatError if it is empty or not text. */
export async function* textOf(source: ByteSource, what: string): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let isEmpty = true;
  for await (const chunk of source) {
    const text = decoder.decode(chunk, { stream: true });
    if (text.includes('\0'))
      throw new FormatError(`${what} is neither UTF-8 text nor .npy or .npz`);
    isEmpty &&= text.trim() === '';
    yield text;
  }
  if (isEmpty) throw new FormatError(`${what} is empty`);
  yield decoder.decode();
}
