// SPDX-License-Identifier: MIT
import { isPlain, refuse } from '../base/check.js';
import { type ChartLine, drawChart } from './chart.js';
import { type FigureOptions, settingsOf } from './options.js';
import { Sheet, translated } from './svg.js';
import { numberText } from './values.js';

/** The numbers of each epoch by the name of the loss or metric, as in `History.history`. */
export interface DrawableHistory {
  /** One number, or a list of numbers, for each epoch. */
  readonly [name: string]: readonly (number | readonly number[])[];
}

const kWidth = 344;
const kHeight = 208;

/** Returns one list of numbers for each name; a metric with several numbers has several names. */
function seriesOf(history: DrawableHistory): Map<string, number[]> {
  const series = new Map<string, number[]>();
  for (const [name, values] of Object.entries(history)) {
    if (!Array.isArray(values)) refuse(`history.${name}`, 'a list of numbers', values);
    const size = Math.max(0, ...values.map((value) => (Array.isArray(value) ? value.length : 0)));
    if (size === 0) series.set(name, values.map(Number));
    for (let item = 0; item < size; item += 1) {
      series.set(
        `${name}[${item}]`,
        values.map((value) => Number(value[item])),
      );
    }
  }
  return series;
}

/**
 * Draws what `fit` returns: a chart for each loss and metric, training beside validation. Numbers
 * that are not finite are gaps.
 *
 * `history` is the result of `fit`, or its dictionary `history`. Returns SVG as text. Throws
 * ValueError for another value.
 *
 * @example drawHistory(await model.fit(x, y, { epochs: 10, validationSplit: 0.2 }))
 */
export function drawHistory(
  history:
    | DrawableHistory
    | { readonly history: DrawableHistory; readonly epoch?: readonly number[] },
  options: FigureOptions = {},
): string {
  const settings = settingsOf(options);
  if (typeof history !== 'object' || history === null)
    refuse('history', 'the result of fit()', history);
  const inner = history['history'];
  const isResult = isPlain(inner);
  const series = seriesOf((isResult ? inner : history) as DrawableHistory);
  const epochs = isResult ? (history as { epoch?: readonly number[] }).epoch : undefined;
  const names = [...series.keys()].filter(
    (name) => !name.startsWith('val_') || !series.has(name.slice(4)),
  );
  const sheet = new Sheet(settings.theme);
  const lineOf = (name: string, title: string, look: ChartLine['look']): ChartLine[] => {
    const values = series.get(name);
    if (!values) return [];
    return [
      { name: title, look, points: values.map((y, index) => [(epochs?.[index] ?? index) + 1, y]) },
    ];
  };
  const columns = Math.max(1, Math.min(names.length, names.length === 4 ? 2 : 3));
  const panels = names.map((name, index) => {
    const lines = [
      ...lineOf(name, 'training', 'line'),
      ...lineOf(`val_${name}`, 'validation', 'second'),
    ];
    const { markup } = drawChart(sheet, {
      title: name,
      xTitle: 'epoch',
      width: kWidth,
      height: kHeight,
      lines,
    });
    const x = (index % columns) * (kWidth + 24);
    return translated(x, Math.floor(index / columns) * (kHeight + 24), markup);
  });
  const said = [...series].map(([name, values]) => {
    const [first = Number.NaN, last = first] = [values[0], values.at(-1)];
    return `${name} from ${numberText(first)} to ${numberText(last)}`;
  });
  const rows = Math.ceil(names.length / columns);
  return sheet.figure(
    settings,
    { title: 'Training', description: `${said.join('; ')}.` },
    { width: columns * (kWidth + 24) - 24, height: Math.max(0, rows * (kHeight + 24) - 24) },
    panels,
  );
}
