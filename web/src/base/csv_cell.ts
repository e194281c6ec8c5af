// SPDX-License-Identifier: MIT
// Cells of the CSV files that the package writes: those of CSVLogger and of the command.
import { visible } from './visible.js';

// Matches formulas that may call a function or another program: they contain `(`, `!` or `|`.
const formula = /^[=+\-@].*[(!|]/;

/** Writes a name as a cell of a CSV table: quoted if needed, and never run as a formula. */
export function csvCell(name: string, separator = ','): string {
  const text = visible(name);
  const cell = formula.test(text) ? `'${text}` : text;
  const isPlain = !cell.includes('"') && !cell.includes(separator || '"');
  return isPlain ? cell : `"${cell.replaceAll('"', '""')}"`;
}
