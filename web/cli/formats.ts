// SPDX-License-Identifier: MIT
// The formats in which predictions are written, by option or by the name of the file.
import { extname } from 'node:path';
import { descriptorOf } from './descriptors.js';
import { UsageError } from './usage.js';

const formats = ['json', 'jsonl', 'csv', 'npy', 'npz', 'arrow'] as const;
/** Format of predictions; 'table' is for a person at the terminal. */
export type Format = (typeof formats)[number] | 'table';

/** Formats that can contain words. */
const worded = ['json', 'jsonl', 'csv'] as const;

/** Other endings of names. */
const endings: { readonly [ending: string]: Format } = {
  ndjson: 'jsonl',
  arrows: 'arrow',
  feather: 'arrow',
};

/** The format of --format, or of the name of the file; undefined if neither says it. */
export function formatOf(
  path: string,
  option: string | undefined,
  isLabelled: boolean,
): Format | undefined {
  if (option === undefined && descriptorOf(path) !== null) return isLabelled ? 'table' : undefined;
  const ending = extname(path).slice(1).toLowerCase();
  const name = option ?? endings[ending] ?? ending;
  const choices = isLabelled ? worded : formats;
  const format = choices.find((each) => each === name);
  if (format) return format;
  if (isLabelled && formats.some((each) => each === name)) {
    throw new UsageError(
      `--labels writes words, which ${name} cannot contain; use json, jsonl or csv`,
    );
  }
  throw new UsageError(
    `the format '${name}' is unknown; end the name of the output with one of ${choices.join(', ')}, or use --format`,
  );
}
