// SPDX-License-Identifier: MIT
import type { NativeSummaryRow } from './native.js';

const headings = ['Layer (type)', 'Output shape', 'Params', 'Mask', 'Connected to'];

function shapeText(shapes: NativeSummaryRow['outputShapes']): string {
  return (
    shapes.map((shape) => `(${shape.map((dim) => dim ?? 'None').join(', ')})`).join(', ') || '?'
  );
}

function cells(row: NativeSummaryRow): string[] {
  const mask = row.masked === null ? '?' : row.masked ? '✓' : '–';
  return [
    `${row.name} (${row.className})`,
    shapeText(row.outputShapes),
    row.parameters.toLocaleString('en-US'),
    mask,
    row.inbound.join(', '),
  ];
}

/** The layers of a model as a table; "Mask" says whether a layer's output carries one. */
export function summaryTable(name: string, rows: NativeSummaryRow[]): string {
  const table = [headings, ...rows.map(cells)];
  const widths = headings.map((_, column) =>
    Math.max(...table.map((line) => (line[column] as string).length)),
  );
  const line = (row: string[]): string =>
    row
      .map((cell, i) => cell.padEnd(widths[i] as number))
      .join('  ')
      .trimEnd();
  // A shared layer has a row for each of its calls.
  const own = [...new Map(rows.map((row) => [row.name, row])).values()];
  const total = own.reduce((sum, row) => sum + row.parameters, 0);
  const trainable = own.reduce((sum, row) => sum + row.trainableParameters, 0);
  const rule = '─'.repeat(widths.reduce((sum, width) => sum + width + 2, -2));
  const [head, ...body] = table.map((row) => line(row));
  return [
    `Model: "${name}"`,
    head,
    rule,
    ...body,
    rule,
    `Params: ${total.toLocaleString('en-US')} (${trainable.toLocaleString('en-US')} trainable)`,
  ].join('\n');
}
