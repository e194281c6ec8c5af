// SPDX-License-Identifier: MIT
// Finds parts of a file that end with a row, for the threads of divided_run.ts.
import { readSync } from 'node:fs';
import { separatorIn } from '../../src/formats/data/csv_records.js';
import type { Start } from './rows.js';

/** A part of a file: whole rows, and the numbers of rows and lines before them. */
export interface Part {
  from: number;
  to: number;
  start: Start;
  /** Number of rows with content before the part. */
  filled: number;
}

const kLineFeed = 10;
const kReturn = 13;
const kSpace = 32;
const kQuote = 34;
const kFirstOfNonAscii = 128;
/** Most bytes in which the end of a row is searched for. */
const kLongest = 2 ** 24;
const kMark = [0xef, 0xbb, 0xbf];

/** Finds the ends of rows in the order of the file. */
export class RecordScanner {
  readonly #file: number;
  /** The byte that separates the cells of a table; null for lines. */
  readonly #separator: number | null;
  #position = 0;
  #start: Start = { row: 0, line: 0 };
  #filled = 0;
  #isOver = false;

  private constructor(file: number, separator: number | null) {
    this.#file = file;
    this.#separator = separator;
  }

  /** Opens the scanner of an open file; null if its first rows do not fit in `length` bytes. */
  static open(file: number, isTable: boolean, length: number): RecordScanner | null {
    const bytes = bytesAt(file, 0, length);
    const text = new TextDecoder().decode(bytes);
    const separator = isTable ? separatorIn(text) : null;
    if (text.trim() === '' || separator === '') return null;
    return new RecordScanner(file, separator?.charCodeAt(0) ?? null);
  }

  get position(): number {
    return this.#position;
  }

  /** The rest of the file behind the parts so far. */
  get rest(): Part {
    const [from, to] = [this.#position, Number.POSITIVE_INFINITY];
    return { from, to, start: this.#start, filled: this.#filled };
  }

  /**
   * Returns the next part, of about `size` bytes; null if there is no further end of a row. The
   * last row of the file, whose end may still be written, is never in a part.
   */
  next(size: number): Part | null {
    for (let length = size; !this.#isOver && length <= kLongest; length *= 2) {
      const bytes = bytesAt(this.#file, this.#position, length);
      const part = this.rest;
      const end = this.#separator === null ? this.#lines(bytes) : this.#table(bytes);
      this.#position += end;
      if (end > 0) return { ...part, to: this.#position };
      if (bytes.length < length) break;
    }
    this.#isOver = true;
    return null;
  }

  #count(bytes: Buffer, from: number, end: number, lines = 1): void {
    const { row, line } = this.#start;
    this.#start = { row: row + 1, line: line + lines };
    if (!isBlank(bytes, from, end)) this.#filled++;
  }

  /** Counts the lines; returns their end. */
  #lines(bytes: Buffer): number {
    let at = 0;
    for (let end = bytes.indexOf(kLineFeed); end >= 0; end = bytes.indexOf(kLineFeed, at)) {
      this.#count(bytes, at, end);
      at = end + 1;
    }
    return at;
  }

  /** Counts the rows of a table; returns their end. */
  #table(bytes: Buffer): number {
    let at = 0;
    let quote = bytes.indexOf(kQuote);
    for (;;) {
      const end = bytes.indexOf(kLineFeed, at);
      if (end < 0) return at;
      if (quote >= 0 && quote < at) quote = bytes.indexOf(kQuote, at);
      if (quote < 0 || quote > end) {
        this.#count(bytes, at, end);
        at = end + 1;
        continue;
      }
      const next = this.#quoted(bytes, at);
      if (next === null) return at;
      this.#count(bytes, at, next, lineFeeds(bytes, at, next) + 1);
      at = next + 1;
    }
  }

  /** The line feed of a row with quotes; null if it is not known. */
  #quoted(bytes: Buffer, start: number): number | null {
    const isMarked = this.#position + start === 0 && kMark.every((byte, i) => bytes[i] === byte);
    for (let at = isMarked ? kMark.length : start; at < bytes.length; at++) {
      let end = cellStart(bytes, at);
      if (bytes[end] === kQuote) {
        end = quotedEnd(bytes, end);
        if (end < bytes.length && bytes[end] !== kLineFeed && bytes[end] !== this.#separator) {
          // Text behind a quote: the row ends where only the reader of tables knows.
          this.#isOver = true;
          return null;
        }
      } else {
        while (end < bytes.length && bytes[end] !== kLineFeed && bytes[end] !== this.#separator)
          end++;
      }
      if (bytes[end] === kLineFeed) return end;
      at = end;
    }
    return null;
  }
}

/** Bytes of a file at a place; fewer at its end. */
function bytesAt(file: number, position: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  let count = 0;
  for (let read = -1; read !== 0 && count < length; count += read)
    read = readSync(file, bytes, count, length - count, position + count);
  return bytes.subarray(0, count);
}

/** Whether a line has only blanks, as `trim` counts them. */
function isBlank(bytes: Buffer, from: number, end: number): boolean {
  const first = bytes[from] as number;
  if (first > kSpace && first < kFirstOfNonAscii) return false;
  return bytes.toString('utf8', from, end).trim() === '';
}

function lineFeeds(bytes: Buffer, from: number, end: number): number {
  let count = 0;
  for (let at = bytes.indexOf(kLineFeed, from); at >= 0 && at < end; count++)
    at = bytes.indexOf(kLineFeed, at + 1);
  return count;
}

function cellStart(bytes: Buffer, from: number): number {
  let at = from;
  while (bytes[at] === kSpace) at++;
  return at;
}

/** The place behind a cell in quotes and the blanks that may follow it. */
function quotedEnd(bytes: Buffer, first: number): number {
  let close = bytes.indexOf(kQuote, first + 1);
  while (close >= 0 && bytes[close + 1] === kQuote) close = bytes.indexOf(kQuote, close + 2);
  if (close < 0) return bytes.length;
  const end = cellStart(bytes, close + 1);
  return bytes[end] === kReturn ? end + 1 : end;
}
