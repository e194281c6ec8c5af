// SPDX-License-Identifier: MIT
import { ShapeError, ValueError } from '../src/base/errors.js';
import { csvCell } from '../src/base/csv_cell.js';
import { table } from '../src/base/table.js';
import { readBytes, titleOf } from './files.js';
import type { Format } from './formats.js';
import type { Output } from './output.js';
import { jsonText } from './print.js';
import { UsageError } from './usage.js';

/** The largest output of a row or of a step. */
interface LabelledOutput {
  row: number;
  /** Index of the step; null for a model with one label per row. */
  step: number | null;
  label: string;
  probability: number;
}

/** Reads labels: names separated by commas, or the path of a file with one per line. */
export function readLabels(text: string): string[] {
  const isList = text.includes(',');
  const content = isList ? text : new TextDecoder().decode(readBytes(text));
  const labels = content
    .trim()
    .split(isList ? ',' : /\r?\n/)
    .map((label) => label.trim());
  if (labels.every((label) => label !== '')) return labels;
  const where = isList ? '--labels' : titleOf(text);
  throw new UsageError(`label ${labels.indexOf('') + 1} of ${where} is empty`);
}

/** Returns the label for one output with two labels, which is the probability of the second one. */
function binary(probability: number, [no, yes]: readonly string[]): [string, number] {
  if (!(probability >= 0 && probability <= 1)) {
    throw new ValueError(
      `an output is ${probability}, which is not a probability; with two labels for one output it must be from 0 to 1`,
    );
  }
  return probability >= 0.5 ? [yes as string, probability] : [no as string, 1 - probability];
}

function largest(values: readonly number[], labels: readonly string[]): [string, number] {
  if (values.some(Number.isNaN)) {
    throw new ValueError('an output is NaN, so it has no label; check the data and the weights');
  }
  if (values.length === 1 && labels.length === 2) return binary(values[0] as number, labels);
  const most = values.indexOf(Math.max(...values));
  return [labels[most] as string, values[most] as number];
}

function checkCount(classes: number, labels: readonly string[]): void {
  if (classes === labels.length || (classes === 1 && labels.length === 2)) return;
  const only = labels.length < classes ? 'only ' : '';
  throw new ShapeError(
    `the model has ${classes} outputs per row, but there are ${only}${labels.length} labels`,
  );
}

function addLabels({ shape, data }: Output, labels: readonly string[]): LabelledOutput[] {
  const classes = shape.at(-1) ?? 1;
  if (shape.length !== 2 && shape.length !== 3) {
    throw new ShapeError(
      `--labels needs outputs of shape [rows, classes] or [rows, steps, classes], not [${shape}]`,
    );
  }
  checkCount(classes, labels);
  const steps = shape.length === 3 ? (shape[1] as number) : 1;
  const count = (shape[0] as number) * steps;
  return Array.from({ length: count }, (_, i) => {
    const values = Array.from({ length: classes }, (_, k) => Number(data[i * classes + k]));
    const [label, probability] = largest(values, labels);
    const step = shape.length === 3 ? (i % steps) + 1 : null;
    return { row: Math.floor(i / steps) + 1, step, label, probability };
  });
}

function toText(all: readonly LabelledOutput[], format: Format): string {
  const steps = all.some(({ step }) => step !== null);
  if (format === 'json') {
    const plain = all.map(({ row, step, ...rest }) => (steps ? { row, step, ...rest } : rest));
    return jsonText(plain);
  }
  const heading = ['row', ...(steps ? ['step'] : []), 'label', 'probability'];
  const cells = ({ row, step, label }: LabelledOutput): string[] =>
    [row, ...(steps ? [step] : []), label].map(String);
  if (format === 'table') {
    const rows = all.map((named) => [...cells(named), named.probability.toFixed(4)]);
    return table(heading, rows).slice(0, -1).join('\n');
  }
  const rows = all.map((named) => [
    ...cells(named).map((cell) => csvCell(cell)),
    String(named.probability),
  ]);
  return [heading, ...rows].map((row) => row.join(',')).join('\n');
}

/** Returns the label and the value of the largest output of each row, as the bytes of a file. */
export function labelOutputs(
  outputs: readonly Output[],
  labels: readonly string[],
  format: Format,
): Uint8Array {
  const [only, ...others] = outputs;
  if (!only || others.length > 0) {
    throw new UsageError(`--labels names one output, but the model has ${outputs.length}`);
  }
  return new TextEncoder().encode(`${toText(addLabels(only, labels), format)}\n`);
}
