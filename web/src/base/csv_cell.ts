// SPDX-License-Identifier: MIT
import { visible } from './visible.js';

// A formula that calls a function or another program has one of `(`, `!`, `|` in it.
const formula = /^[=+\-@].*[(!|]/;

/** Writes a name as a cell of a CSV table: quoted if needed, and never run as a formula. */
export function csvCell(name: string, separator = ','): string {
  const text = visible(name);
  const cell = formula.test(text) ? `'${text}` : text;
  const isPlain = !cell.includes('"') && !cell.includes(separator || '"');
  return isPlain ? cell : `"${cell.replaceAll('"', '""')}"`;
}
