// SPDX-License-Identifier: MIT
// Values of the options of `maskflow run`. Imports nothing of the engine.
import { UsageError } from '../usage.js';

const formats = ['json', 'jsonl', 'csv', 'text', 'npy', 'npz', 'arrow'] as const;
/** Format of data; 'text' is one text per line. */
export type InputFormat = (typeof formats)[number];

/** The format of --input-format; undefined without it. */
export function chosenFormat(option: string | undefined): InputFormat | undefined {
  if (option === undefined) return undefined;
  const format = formats.find((each) => each === option);
  if (format) return format;
  throw new UsageError(`--input-format is '${option}' but must be one of ${formats.join(', ')}`);
}

/** Columns of the data, as options choose them. */
export interface ColumnOptions {
  /** Columns or fields for the model; null for all others than the keys. */
  columns: readonly string[] | null;
  /** Columns or fields that pass through; null if the option is left out. */
  ids: readonly string[] | null;
  /** Whether the first line of a table is a heading; null: detected. */
  header: boolean | null;
  /** The encoding of text, as TextDecoder names it. */
  encoding: string;
}

/** The encoding of --encoding. Throws UsageError for an unknown one. */
export function chosenEncoding(option: string | undefined): string {
  if (option === undefined) return 'utf-8';
  try {
    return new TextDecoder(option).encoding;
  } catch {
    throw new UsageError(
      `--encoding is '${option}' but must be a name such as utf-8, latin1, windows-1252, utf-16le or shift_jis`,
    );
  }
}

/** Splits a list of names; a name with a comma is in double quotes. */
export function splitNames(text: string): string[] {
  const names = [...text.matchAll(/"((?:[^"]|"")*)"|([^,]+)/g)];
  return names
    .map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? (plain as string).trim())
    .filter((name) => name !== '');
}

/** Ways to handle rows that cannot be read or computed. */
export const onErrorChoices = ['stop', 'skip', 'null'] as const;
export type OnError = (typeof onErrorChoices)[number];
