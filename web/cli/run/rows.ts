// SPDX-License-Identifier: MIT
// Rows on their way from a file to the model, and predictions on their way out.
import type { MaskflowError } from '../../src/base/errors.js';
import type { Output } from '../output.js';
import { fieldText, type Fields, isPlainField } from './fields.js';

export { type Fields, noFields } from './fields.js';

/** Numbers in row-major order with the shape of a row. */
export interface RowArray {
  shape: readonly number[];
  data: ArrayLike<number>;
}

/** A row of the data: for each input of the model a text, a number, nested arrays or a RowArray. */
export interface Row {
  /** Number of the row or line in its file, from 1. */
  number: number;
  values: readonly unknown[];
  fields: Fields;
}

/** A row that cannot be read. The message of the error names its place. */
export interface BadRow {
  number: number;
  fields: Fields;
  error: MaskflowError;
}

/** Place in a file where a part begins: the numbers of its rows and of its lines before that. */
export interface Start {
  row: number;
  line: number;
}

/** The rows of a file, in blocks as they arrive. */
export interface RowSource {
  /** Name of the file, for messages. */
  what: string;
  /** Word for the place of a row: 'row' or 'line'. */
  unit: string;
  blocks: AsyncIterable<readonly (Row | BadRow)[]>;
  /**
   * Reads some bytes of the file, which are whole rows, in place of `blocks`: first the beginning,
   * then parts with their starts. Undefined for formats that are read in order only.
   */
  part?(
    bytes: AsyncIterable<Uint8Array>,
    start?: Start,
  ): AsyncGenerator<readonly (Row | BadRow)[], void, undefined>;
  /** Called after the last part. Throws FormatError if there were no rows. */
  endParts?(): void;
}

/** A row of the output: its fields, and its index in the outputs; -1 for a bad row. */
export interface Entry {
  fields: Fields;
  index: number;
}

/** Predictions for some rows. */
export interface Predicted {
  entries: readonly Entry[];
  outputs: readonly Output[];
}

/** Where predictions go. */
export interface Sink {
  write(batch: Predicted): Promise<void> | void;
  /**
   * True when all further text depends only on the predictions of its rows, and on their numbers.
   * Undefined for formats without rows of text.
   */
  readonly hasBegun?: boolean;
  /** Completes the output. */
  end(): Promise<void>;
  /** Ends the output after an error. A file then stays as it was. */
  discard(): Promise<void>;
}

/** The place of a row with its key fields: `line 3 of 'x.jsonl' (user: u7)`. */
export function placeOf(
  { unit, what }: { unit: string; what: string },
  { number, fields }: { number: number; fields: Fields },
  detail = '',
): string {
  const keys = fields
    .filter(({ value }) => isPlainField(value))
    .slice(0, kMaxKeys)
    .map(({ name, value }) => `${name}: ${fieldText(value).slice(0, kLongestKey)}`);
  return `${unit} ${number}${detail} of ${what}${keys.length > 0 ? ` (${keys.join(', ')})` : ''}`;
}

/** Numbers of rows that were padded, and of those that were cut. */
export interface Cuts {
  rows: number;
  cut: number;
}

/** The place of a row, whose text only an error needs. */
export interface Place {
  toString(): string;
}

const kMaxKeys = 3;
const kLongestKey = 40;
