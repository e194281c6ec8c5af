// SPDX-License-Identifier: MIT

/** Rows of equal length below headings, with a rule between and one at the end. */
export function table(headings: readonly string[], rows: readonly string[][]): string[] {
  const all = [headings, ...rows];
  const widths = headings.map((_, column) =>
    Math.max(...all.map((row) => (row[column] as string).length)),
  );
  const line = (row: readonly string[]): string =>
    row
      .map((cell, i) => cell.padEnd(widths[i] as number))
      .join('  ')
      .trimEnd();
  const rule = '─'.repeat(widths.reduce((sum, width) => sum + width + 2, -2));
  return [line(headings), rule, ...rows.map(line), rule];
}
