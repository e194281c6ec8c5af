// SPDX-License-Identifier: MIT
// How benchmarks print and write what they measured.

/** Returns a table in Markdown. Cells that are undefined stay empty. */
export const table = (head, rows) =>
  [`| ${head.join(' | ')} |`, `|${'---|'.repeat(head.length)}`, ...rows.map(rowText)].join('\n');

const rowText = (cells) => `| ${cells.map((cell) => cell ?? '').join(' | ')} |`;

/** Returns a time in milliseconds with its unit. */
export const timeText = (ms) =>
  ms < 1 ? `${(1000 * ms).toFixed(ms < 0.1 ? 1 : 0)} µs` : `${ms.toFixed(ms < 10 ? 2 : 1)} ms`;

/** Returns a factor with two digits, or a dash if it was not measured. */
export const factorText = (factor) => (Number.isFinite(factor) ? factor.toFixed(2) : '—');

export const megabytes = (bytes) => (bytes / 1e6).toFixed(1);
export const mark = (isMet) => (isMet ? '✓' : '✗');
