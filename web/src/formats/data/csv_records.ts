// SPDX-License-Identifier: MIT
// The first half of `readCsv`: pieces of a text become rows of cells. csv_table.ts makes columns of
// these.
import { FormatError } from '../../base/errors.js';

/** Longest text without the end of a row; a quote that nothing closes would go on for ever. */
const kLongestRow = 2 ** 24;

const kQuote = '"';

/** The separator of a table by its first line with content; '' if the text lacks its end. */
export function separatorIn(text: string, isEnd = false): string {
  const [, line, end] = /^\s*(\S[^\n]*)(\n?)/.exec(text) ?? [];
  return line === undefined || (!end && !isEnd) ? '' : separatorOf(line);
}

/** The separator of a line, outside of quotes: a tab, else a semicolon, else a comma. */
function separatorOf(line: string): string {
  const bare = line.replace(/"(?:[^"]|"")*"/g, '');
  return ['\t', ';'].find((separator) => bare.includes(separator)) ?? ',';
}

function endOfLine(text: string, start: number): number {
  const end = text.indexOf('\n', start);
  return end < 0 ? text.length : end;
}

/** One row of a table. */
export interface CsvRecord {
  /** Number of the row, counted from 1 as in a spreadsheet. */
  row: number;
  /** Texts of the cells, without the quotes around them. */
  cells: string[];
}

/** A cell or a row, and the position after it. */
interface Read<T> {
  value: T;
  end: number;
}

/**
 * Place at the end of a row that has begun: at the start of a cell, in a cell without quotes,
 * between quotes, after the second quote, after blanks behind that, or after a carriage return.
 */
type Place = 'start' | 'bare' | 'quotes' | 'closed' | 'blanks' | 'return';

/** Place at the end of a text that begins with a cell without quotes. */
const placeIn = (cell: string): Place => (/^ *$/.test(cell) ? 'start' : 'bare');

/** Splits a table that arrives in pieces into its rows. Rows without content are left out. */
export class CsvRecords {
  readonly #what: string;
  #separator = '';
  /** Pieces of a row that has begun. */
  #rest: string[] = [];
  #restLength = 0;
  #place: Place = 'start';
  #row = 0;

  constructor(what: string) {
    this.#what = what;
  }

  /** Goes on behind this number of rows, for a reader that leaves out a part of the table. */
  skipTo(row: number): void {
    this.#rest = [];
    this.#restLength = 0;
    this.#row = row;
  }

  /** Returns the rows that this piece of text completes; with `isEnd`, also the last one. */
  push(text: string, isEnd = false): CsvRecord[] {
    // Reading a long row again with each piece would take quadratic time.
    if (!isEnd && this.#rest.length > 0 && !this.#mayEnd(text)) {
      this.#keep(text);
      return [];
    }
    const all = this.#rest.length > 0 ? this.#rest.join('') + text : text;
    this.#rest = [];
    this.#restLength = 0;
    this.#separator ||= separatorIn(all, isEnd);
    if (this.#separator === '') {
      this.#keep(this.#withoutBlankLines(all));
      return [];
    }
    const records: CsvRecord[] = [];
    let start = 0;
    let quote = all.indexOf(kQuote);
    while (start < all.length) {
      const end = all.indexOf('\n', start);
      if (quote >= 0 && quote < start) quote = all.indexOf(kQuote, start);
      const isPlain = quote < 0 || (end >= 0 && quote > end);
      const read = isPlain ? this.#plain(all, start, end, isEnd) : this.#quoted(all, start, isEnd);
      if (!read) break;
      start = read.end;
      const { value: cells } = read;
      this.#row++;
      if (cells.length > 1 || cells[0]?.trim()) records.push({ row: this.#row, cells });
    }
    if (start < all.length) this.#keep(all.slice(start));
    return records;
  }

  #keep(text: string): void {
    this.#rest.push(text);
    this.#restLength += text.length;
    if (this.#restLength <= kLongestRow) return;
    throw new FormatError(
      `row ${this.#row + 1} of ${this.#what} is longer than ${kLongestRow} characters; is a quote (") missing at the end of a cell?`,
    );
  }

  /** Counts and removes the empty lines before the first line with content. */
  #withoutBlankLines(text: string): string {
    const [blank = ''] = /^[ \r\n]*\n/.exec(text) ?? [];
    this.#row += blank.split('\n').length - 1;
    return text.slice(blank.length);
  }

  /** Whether this piece may have the end of the row that has begun. */
  #mayEnd(text: string): boolean {
    if (this.#separator === '') return text.includes('\n');
    for (let i = 0; i < text.length; i++) {
      if (this.#place === 'quotes') {
        const quote = text.indexOf(kQuote, i);
        if (quote < 0) return false;
        i = quote;
      }
      const place = this.#after(text[i] as string);
      if (!place) return true;
      this.#place = place;
    }
    return false;
  }

  /** The place after one more character; null if the row may have ended. */
  #after(character: string): Place | null {
    const place = this.#place;
    if (place === 'quotes') return 'closed';
    if (character === kQuote && (place === 'start' || place === 'closed')) return 'quotes';
    if (character === '\n') return null;
    if (character === this.#separator) return 'start';
    if (place === 'start') return character === ' ' ? 'start' : 'bare';
    if (place === 'bare') return 'bare';
    // Other text after quotes: the cell has no quotes then, and an earlier line end counts.
    if (place === 'return') return null;
    return character === '\r' ? 'return' : character === ' ' ? 'blanks' : null;
  }

  /** A row without quotes; undefined if more text may follow. */
  #plain(all: string, start: number, lineEnd: number, isEnd: boolean): Read<string[]> | undefined {
    if (lineEnd < 0 && !isEnd) {
      const last = Math.max(start, all.lastIndexOf(this.#separator) + 1);
      this.#place = placeIn(all.slice(last));
      return undefined;
    }
    const end = lineEnd < 0 ? all.length : lineEnd;
    const last = end > start && all[end - 1] === '\r' ? end - 1 : end;
    return { value: all.slice(start, last).split(this.#separator), end: end + 1 };
  }

  /** A row with quotes; undefined if more text may follow. */
  #quoted(all: string, start: number, isEnd: boolean): Read<string[]> | undefined {
    const cells: string[] = [];
    let lineEnd = -1;
    for (let from = start; ; ) {
      // Found once for a line: searching for it from each cell would take quadratic time.
      if (lineEnd < from) lineEnd = endOfLine(all, from);
      const quoted = this.#inQuotes(all, from, isEnd);
      const read = quoted ?? this.#bare(all, from, lineEnd);
      if (!isEnd && read.end >= all.length) {
        this.#place = quoted?.place ?? placeIn(all.slice(from));
        return undefined;
      }
      cells.push(read.value);
      if (all[read.end] !== this.#separator) return { value: cells, end: read.end + 1 };
      from = read.end + 1;
    }
  }

  /** A cell that begins with a quote, perhaps after blanks; undefined for another one. */
  #inQuotes(
    all: string,
    start: number,
    isEnd: boolean,
  ): (Read<string> & { place: Place }) | undefined {
    let first = start;
    while (all[first] === ' ') first++;
    if (all[first] !== kQuote) return undefined;
    let close = all.indexOf(kQuote, first + 1);
    while (close >= 0 && all[close + 1] === kQuote) close = all.indexOf(kQuote, close + 2);
    if (close < 0) return isEnd ? undefined : { value: '', end: all.length, place: 'quotes' };
    let end = close + 1;
    while (all[end] === ' ') end++;
    if (all[end] === '\r') end++;
    const isClosed = end >= all.length || all[end] === '\n' || all[end] === this.#separator;
    if (!isClosed) return undefined;
    const text = all.slice(first + 1, close);
    return {
      value: text.includes(kQuote) ? text.replaceAll('""', kQuote) : text,
      end,
      place: all[end - 1] === '\r' ? 'return' : end === close + 1 ? 'closed' : 'blanks',
    };
  }

  /** A cell that ends at the next separator or at the end of the line. */
  #bare(all: string, start: number, lineEnd: number): Read<string> {
    const line = all.slice(start, lineEnd);
    const length = line.indexOf(this.#separator);
    if (length >= 0) return { value: line.slice(0, length), end: start + length };
    return { value: line.endsWith('\r') ? line.slice(0, -1) : line, end: lineEnd };
  }
}
