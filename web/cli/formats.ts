// SPDX-License-Identifier: MIT
import { extname } from 'node:path';
import { UsageError } from './usage.js';

const formats = ['json', 'csv', 'npy', 'npz'] as const;
/** Format of predictions; 'table' is meant for a person at a terminal. */
export type Format = (typeof formats)[number] | 'table';

/** Returns the format that --format names, or else the one of the file's name. */
export function formatOf(path: string, option: string | undefined, isLabelled: boolean): Format {
  if (option === undefined && path === '-') return isLabelled ? 'table' : 'json';
  const name = option ?? extname(path).slice(1).toLowerCase();
  const choices = isLabelled ? formats.slice(0, 2) : formats;
  const format = choices.find((each) => each === name);
  if (format) return format;
  if (isLabelled && formats.some((each) => each === name)) {
    throw new UsageError(`--labels writes words, which ${name} cannot contain; use json or csv`);
  }
  throw new UsageError(
    `the format '${name}' is unknown; end the name of the output with one of ${choices.join(', ')}, or use --format`,
  );
}
