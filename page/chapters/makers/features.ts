// SPDX-License-Identifier: MIT
// Rows of feature vectors as typed, one step a line. Unequal lines and rows are filled up, and the
// note says so.
import { Advice } from '../../shared/advice.js';
import { count } from '../../shared/text.js';

const limits = { steps: 12, features: 6 } as const;

export interface Features {
  rows: number[][][];
  /** Whether the rows have unequal numbers of steps, so that padSequences must fill them up. */
  ragged: boolean;
  note: string;
}

export function featuresOf(texts: string[], maskValue: string): Features {
  const typed = texts.map(parse).filter((row) => row.length > 0);
  if (typed.length === 0)
    throw new Advice('There are no steps yet. Type some numbers, one step per line.');
  const notes: string[] = [];
  const cut = typed.map((row) =>
    row.slice(0, limits.steps).map((step) => step.slice(0, limits.features)),
  );
  if (typed.some((row) => row.length > limits.steps))
    notes.push(`only the first ${limits.steps} steps of a row are used`);
  if (typed.flat().some((step) => step.length > limits.features))
    notes.push(`only the first ${limits.features} features of a step are used`);
  const width = Math.max(...cut.flat().map((step) => step.length));
  const short = cut.flat().filter((step) => step.length < width).length;
  if (short > 0)
    notes.push(`${count(short, 'step')} had fewer than ${width} features and got 0 for the rest`);
  const rows = cut.map((row) =>
    row.map((step) => [...step, ...Array<number>(width - step.length).fill(0)]),
  );
  const steps = Math.max(...rows.map((row) => row.length));
  const ragged = rows.some((row) => row.length < steps);
  if (ragged)
    notes.push(
      `the shorter row is filled up to ${count(steps, 'step')} with the \`mask_value\`, ${maskValue}, by \`padSequences\``,
    );
  return { rows, ragged, note: notes.length > 0 ? `Adjusted: ${notes.join('; ')}.` : '' };
}

const parse = (text: string): number[][] =>
  text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) =>
      line
        .trim()
        .split(/[\s,;]+/)
        .filter(Boolean)
        .map(numberOf),
    )
    .filter((step) => step.length > 0);

function numberOf(text: string): number {
  const value = Number(text.replace('−', '-'));
  const isNumber = /^nan$/i.test(text) || Math.abs(value) <= 3e38;
  if (!isNumber)
    throw new Advice(
      `“${text}” is not a number that fits into a float32. Type numbers with spaces between them.`,
    );
  return value;
}

/** Returns the text of a row after a change of one feature. */
export function withFeature(text: string, step: number, feature: number, value: string): string {
  const lines = text.split('\n').filter((line) => /[^\s,;]/.test(line));
  const parts = (lines[step] ?? '')
    .trim()
    .split(/[\s,;]+/)
    .filter(Boolean);
  while (parts.length <= feature) parts.push('0');
  parts[feature] = value;
  // A step that padding added becomes a typed line.
  while (lines.length < step) lines.push(parts.map(() => '0').join(' '));
  lines[step] = parts.join(' ');
  return lines.join('\n');
}
