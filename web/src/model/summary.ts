// SPDX-License-Identifier: MIT
// The table of `Model.summary`, and of `maskflow info` of the command.
import { sum } from '../base/array.js';
import { native, unwrap } from '../engine/engine.js';
import type { NativeLayer, NativeSummaryRow } from '../engine/native.js';
import { table } from '../base/table.js';
import { visible } from '../base/visible.js';

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

/** A model; one with layers that the core does not have adds their rows. */
interface Summarized {
  readonly handle: NativeLayer;
  completeRows?(rows: NativeSummaryRow[]): NativeSummaryRow[];
}

/** Returns the rows of a model's summary. */
export function summaryRows(model: Summarized): NativeSummaryRow[] {
  const rows = unwrap(native().modelSummary(model.handle));
  return model.completeRows?.(rows) ?? rows;
}

/** Formats the layers of a model as a table. "Mask" tells whether a layer's output carries one. */
export function summaryTable(name: string, rows: NativeSummaryRow[]): string {
  // A shared layer has a row for each of its calls.
  const layers = [...new Map(rows.map((row) => [row.name, row])).values()];
  const total = sum(layers.map((row) => row.parameters));
  const trainable = sum(layers.map((row) => row.trainableParameters));
  return [
    `Model: "${visible(name)}"`,
    ...table(headings, rows.map(cells)),
    `Params: ${total.toLocaleString('en-US')} (${trainable.toLocaleString('en-US')} trainable)`,
  ].join('\n');
}
