// SPDX-License-Identifier: MIT
// Names of classes for the option --labels of `maskflow run`.
import { ShapeError, ValueError } from '../src/base/errors.js';
import { decodeText } from '../src/formats/data/invalid_utf8.js';
import { readBytes, titleOf } from './files.js';
import type { Output } from './output.js';
import { encoderLabels } from './prepared.js';
import { UsageError } from './usage.js';

/** The largest output of a row or of a step. */
export interface LabelledOutput {
  /** Null for a model with one label per row. */
  step: number | null;
  label: string;
  probability: number;
}

/**
 * Reads labels: names separated by commas, or the path of a file with one per line or of a pickled
 * LabelEncoder.
 */
export async function readLabels(text: string): Promise<string[]> {
  const isList = text.includes(',');
  // Read once: the file may be a pipe.
  const bytes = isList ? null : readBytes(text);
  const classes = bytes && (await encoderLabels(text, bytes));
  if (classes) return classes;
  const content = bytes ? decodeText(bytes, titleOf(text)) : text;
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
  const best = values.indexOf(values.reduce((a, b) => Math.max(a, b)));
  return [labels[best] as string, values[best] as number];
}

function checkCount(classes: number, labels: readonly string[]): void {
  if (classes === labels.length || (classes === 1 && labels.length === 2)) return;
  const only = labels.length < classes ? 'only ' : '';
  throw new ShapeError(
    `the model has ${classes} outputs per row, but there are ${only}${labels.length} labels`,
  );
}

/** For each row, the label of its largest output, or one for each step. */
export function labelsOf(
  { shape, data }: Output,
  labels: readonly string[],
): (readonly LabelledOutput[])[] {
  const classes = shape.at(-1) ?? 1;
  if (shape.length !== 2 && shape.length !== 3) {
    throw new ShapeError(
      `--labels needs outputs of shape [rows, classes] or [rows, steps, classes], not [${shape}]`,
    );
  }
  checkCount(classes, labels);
  const [rows = 0, steps = 1] = shape.slice(0, -1);
  const hasSteps = shape.length === 3;
  return Array.from({ length: rows }, (_, row) =>
    Array.from({ length: steps }, (_, i) => {
      const from = (row * steps + i) * classes;
      const values = Array.from({ length: classes }, (_, k) => Number(data[from + k]));
      const [label, probability] = largest(values, labels);
      return { step: hasSteps ? i + 1 : null, label, probability };
    }),
  );
}
