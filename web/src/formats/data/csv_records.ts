// SPDX-License-Identifier: MIT
import Papa from 'papaparse/papaparse.js';
import { FormatError } from '../../base/errors.js';

/** Longest text without the end of a row; a quote that nothing closes would go on for ever. */
const kLongestRow = 2 ** 24;

/** The separator of a line: a tab, else a semicolon, else a comma. */
const separatorOf = (line: string): string =>
  ['\t', ';'].find((separator) => line.includes(separator)) ?? ',';

/** One row of a table. */
export interface CsvRecord {
  /** Number of the row, counted from 1 as in a spreadsheet. */
  row: number;
  cells: string[];
}

/** Splits a table that arrives in pieces into its rows. Rows without content are left out. */
export class CsvRecords {
  readonly #what: string;
  #parser: InstanceType<typeof Papa.Parser> | undefined;
  #rest = '';
  #row = 0;

  constructor(what: string) {
    this.#what = what;
  }

  /** Returns the rows that this piece of text completes; with `isEnd`, also the last one. */
  push(text: string, isEnd = false): CsvRecord[] {
    const all = this.#rest + text;
    this.#parser ??= this.#parserFor(all, isEnd);
    if (!this.#parser) {
      this.#rest = all;
      return [];
    }
    const { data, meta } = this.#parser.parse(all, 0, !isEnd);
    this.#rest = isEnd ? '' : all.slice(meta.cursor);
    this.#checkRest();
    const records: CsvRecord[] = [];
    for (const cells of data) {
      this.#row++;
      if (cells.length > 1 || cells[0]?.trim()) records.push({ row: this.#row, cells });
    }
    return records;
  }

  /** The first line with content decides about the separator. */
  #parserFor(text: string, isEnd: boolean): InstanceType<typeof Papa.Parser> | undefined {
    const [, line, end] = /^\s*(\S[^\n]*)(\n?)/.exec(text) ?? [];
    if (line === undefined || (!end && !isEnd)) return undefined;
    return new Papa.Parser({ delimiter: separatorOf(line), newline: '\n' });
  }

  #checkRest(): void {
    if (this.#rest.length <= kLongestRow) return;
    throw new FormatError(
      `row ${this.#row + 1} of ${this.#what} is longer than ${kLongestRow} characters; is a quote (") missing at the end of a cell?`,
    );
  }
}
