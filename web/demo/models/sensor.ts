// SPDX-License-Identifier: MIT
import { count, decimal } from '../shared/text.js';
import { below } from './characters.js';
import { sensorChart, sensorTable } from './sensor-chart.js';
import type { Answer, Recorded, Task } from './task.js';

const missing = -1;
const longest = 48;

type Reading = number | null;

function readingsOf(text: string): Reading[] {
  const readings = text
    .trim()
    .split(/[\s,;]+/)
    .filter(Boolean)
    .map(readingOf);
  if (readings.length < 2 || readings.length > longest) {
    throw new Error(
      `There are ${count(readings.length, 'reading')}; the model takes 2 to ${longest}.`,
    );
  }
  if (readings.every((reading) => reading === null)) {
    throw new Error('Every reading is missing. Give at least one number.');
  }
  return readings;
}

function readingOf(word: string): Reading {
  if (/^[-–−·]$/.test(word)) return null;
  const value = Number(word.replace('−', '-'));
  if (Number.isFinite(value)) return value;
  throw new Error(`“${word}” is neither a number nor “-” for a missing reading.`);
}

/** Value and how far back it lies; what is missing, and padding, is [-1, -1], which Masking skips. */
const stepsOf = (readings: Reading[], more: number): number[][] => [
  ...readings.map((value, t) =>
    value === null
      ? [missing, missing]
      : [value, Math.round((1e6 * (readings.length - t)) / longest) / 1e6],
  ),
  ...Array.from({ length: more }, () => [missing, missing]),
];

const read = ([reading = Number.NaN]: number[]): Answer => ({
  words: decimal(reading, 3),
  numbers: [reading],
});

/** Forecasts the next reading of a signal with gaps. */
export const sensor: Task = {
  unit: 'next reading',
  inWords: false,
  path: ['masking', 'gru', 'forecast'],
  ask(text, more) {
    const readings = readingsOf(text);
    const row = stepsOf(readings, more);
    const bare = stepsOf(readings, 0);
    return { row, bare, dtype: 'float32' };
  },
  read,
  records(notes) {
    const { examples } = notes as { examples: { input: number[][]; output: number }[] };
    return examples.map(({ input, output }, index): Recorded => {
      const text = textOf(input);
      const gaps = text.split(' ').filter((word) => word === '-').length;
      const label = `${index + 1}: ${text.split(' ').length} steps, ${gaps} missing`;
      return { text, label, ...read([output]) };
    });
  },
  random() {
    const steps = 24 + below(25);
    const [slow, fast, phase] = [0.2 + Math.random() * 0.2, 0.6 + Math.random() * 0.4, below(7)];
    const share = 0.2 + Math.random() * 0.3;
    const value = (t: number) => 0.7 * Math.sin(slow * t + phase) + 0.4 * Math.sin(fast * t);
    const words = Array.from({ length: steps }, (_, t) =>
      t > 0 && Math.random() < share ? '-' : value(t).toFixed(3),
    );
    return words.join(' ');
  },
  sentence: ({ words }) => `The next reading should be ${words}, says the model.`,
  draw: (text, more, { numbers: [forecast = 0] }) => sensorChart(readingsOf(text), more, forecast),
  table: (text, more) => sensorTable(readingsOf(text), more),
};

/** A recorded input as text. The second feature of any step tells the length without the padding. */
function textOf(input: number[][]): string {
  const first = input.findIndex((step) => step[1] !== missing);
  const length = Math.round(first + longest * (input[first]?.[1] ?? 0));
  const words = input
    .slice(0, length)
    .map(([value, age]) => (age === missing ? '-' : String(value)));
  return words.join(' ');
}
