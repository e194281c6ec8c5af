// SPDX-License-Identifier: MIT
import { visible } from './visible.js';

// A formula that can call, or reach another program, has one of these behind its first character.
const formula = /^[=+\-@].*[(!|]/;

/** A name as a cell of a table: quoted where the format needs it, and never run by a spreadsheet. */
export function csvCell(name: string, separator = ','): string {
  const text = visible(name);
  const cell = formula.test(text) ? `'${text}` : text;
  const isPlain = !cell.includes('"') && !cell.includes(separator || '"');
  return isPlain ? cell : `"${cell.replaceAll('"', '""')}"`;
}
