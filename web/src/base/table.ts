// SPDX-License-Identifier: MIT
// Text tables, for `summary`, profiles and the command.
import { visible } from './visible.js';

/** Widths of the columns of a table. */
export const columnWidths = (rows: readonly (readonly string[])[]): number[] =>
  (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] as string).length)),
  );

/** A row of a table with columns of these widths. */
export const tableLine = (row: readonly string[], widths: readonly number[]): string =>
  row
    .map((cell, i) => cell.padEnd(widths[i] as number))
    .join('  ')
    .trimEnd();

/**
 * Lines of a text table: headings, a rule, the rows, a rule. All rows have one cell per heading.
 */
export function table(headings: readonly string[], rows: readonly string[][]): string[] {
  const all = [headings, ...rows].map((row) => row.map(visible));
  const widths = columnWidths(all);
  const rule = '─'.repeat(widths.reduce((sum, width) => sum + width + 2, -2));
  const [heading, ...others] = all.map((row) => tableLine(row, widths)) as [string, ...string[]];
  return [heading, rule, ...others, rule];
}
