// SPDX-License-Identifier: MIT
import { visible } from './visible.js';

/**
 * Lines of a text table: headings, a rule, the rows, a rule. All rows have one cell per heading.
 */
export function table(headings: readonly string[], rows: readonly string[][]): string[] {
  const all = [headings, ...rows].map((row) => row.map(visible));
  const widths = headings.map((_, column) =>
    Math.max(...all.map((row) => (row[column] as string).length)),
  );
  const line = (row: readonly string[]): string =>
    row
      .map((cell, i) => cell.padEnd(widths[i] as number))
      .join('  ')
      .trimEnd();
  const rule = '─'.repeat(widths.reduce((sum, width) => sum + width + 2, -2));
  const [heading, ...others] = all.map(line) as [string, ...string[]];
  return [heading, rule, ...others, rule];
}
