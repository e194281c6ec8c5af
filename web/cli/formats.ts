// SPDX-License-Identifier: MIT
import { extname } from 'node:path';
import { UsageError } from './usage.js';

const formats = ['json', 'csv', 'npy', 'npz'] as const;
/** Of predictions; 'table' is what a person reads at the terminal. */
export type Format = (typeof formats)[number] | 'table';

/** The format that is asked for, or that the name of the file says. */
export function formatOf(path: string, asked: string | undefined, labelled: boolean): Format {
  if (asked === undefined && path === '-') return labelled ? 'table' : 'json';
  const said = asked ?? extname(path).slice(1).toLowerCase();
  const choices = labelled ? formats.slice(0, 2) : formats;
  const found = choices.find((format) => format === said);
  if (found) return found;
  if (labelled && formats.some((format) => format === said)) {
    throw new UsageError(`--labels gives words, which ${said} does not hold; use json or csv`);
  }
  throw new UsageError(
    `the format '${said}' is unknown; there are ${choices.join(', ')}: name the output so, or give --format`,
  );
}
