// SPDX-License-Identifier: MIT
// The table of `Model.summary`, and of `maskflow info` of the command.
import { elementCount, sum } from '../base/array.js';
import { native, unwrap } from '../engine/engine.js';
import type { NativeLayer, NativeSummaryRow } from '../engine/native.js';
import { table } from '../base/table.js';
import { visible } from '../base/visible.js';
import type { WeightInfo } from '../layers/layer_config.js';

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
  readonly name: string;
  readonly weights: readonly WeightInfo[];
  readonly trainableWeights: readonly { readonly shape: readonly number[] }[];
  completeRows?(rows: NativeSummaryRow[]): NativeSummaryRow[];
}

/** Returns the rows of a model's summary. */
export function summaryRows(model: Summarized): NativeSummaryRow[] {
  const rows = unwrap(native().modelSummary(model.handle));
  return model.completeRows?.(rows) ?? rows;
}

/** Number of elements, as the table shows it. */
const countOf = (weights: Summarized['trainableWeights']): string =>
  sum(weights.map(({ shape }) => elementCount(shape))).toLocaleString('en-US');

/** Formats the layers of a model as a table. "Mask" tells whether a layer's output carries one. */
export function summaryTable(model: Summarized): string {
  // The sum of the rows would count a layer once more for each wrapper that it is in.
  return [
    `Model: "${visible(model.name)}"`,
    ...table(headings, summaryRows(model).map(cells)),
    `Params: ${countOf(model.weights)} (${countOf(model.trainableWeights)} trainable)`,
  ].join('\n');
}
