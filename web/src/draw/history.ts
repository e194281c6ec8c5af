// SPDX-License-Identifier: MIT
// `drawHistory` of maskflow/draw.
import { isPlain, refuse } from '../base/check.js';
import { type ChartLine, drawChart } from './chart.js';
import { type FigureOptions, settingsOf } from './options.js';
import { arranged, figure, soft, text } from './svg.js';
import { numberText } from './values.js';

/** The numbers of each epoch by the name of the loss or metric, as in `History.history`. */
export interface DrawableHistory {
  /** One number, or a list of numbers, for each epoch. */
  readonly [name: string]: readonly (number | readonly number[])[];
}

/** Returns one list of numbers for each name; a metric with several numbers has several names. */
function seriesOf(history: DrawableHistory): Map<string, number[]> {
  const series = new Map<string, number[]>();
  for (const [name, values] of Object.entries(history)) {
    if (!Array.isArray(values)) refuse(`history.${name}`, 'a list of numbers', values);
    const parts = values.find(Array.isArray) as number[] | undefined;
    for (const item of parts?.keys() ?? [-1]) {
      series.set(
        parts ? `${name}[${item}]` : name,
        values.map((value) => Number(parts ? value[item] : value)),
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
    | {
        readonly history: DrawableHistory;
        /** Numbers of the epochs. Default: 0, 1, … */
        readonly epoch?: readonly number[];
      },
  options: FigureOptions = {},
): string {
  const settings = settingsOf(options);
  if (!(history instanceof Object)) refuse('history', 'the result of fit()', history);
  const inner = history['history'];
  const isResult = isPlain(inner);
  const series = seriesOf((isResult ? inner : history) as DrawableHistory);
  const epochs = isResult ? (history as { epoch?: readonly number[] }).epoch : undefined;
  const charts = [...series].flatMap(([title, values]) => {
    const isShown = title.startsWith('val_') && series.has(title.slice(4));
    if (isShown || values.length === 0) return [];
    const others = series.get(`val_${title}`);
    const lines: ChartLine[] = [[values, 'line', 'training']];
    if (others) lines.push([others, 'second', 'validation']);
    const count = Math.max(values.length, others?.length ?? 0);
    const xs = Array.from({ length: count }, (_, epoch) => (epochs?.[epoch] ?? epoch) + 1);
    return drawChart({ title, xTitle: 'epoch', width: 344, height: 208, xs, lines });
  });
  const said = [...series].map(
    ([name, values]) =>
      `${name} from ${numberText(values[0] ?? Number.NaN)} to ${numberText(values.at(-1) ?? Number.NaN)}`,
  );
  return figure(
    settings,
    'Training',
    `${said.join('; ') || 'No epochs'}.`,
    charts[0]
      ? arranged(charts, charts.length === 4 ? 2 : 3)
      : { width: 0, height: 16, markup: text(0, 12, 'No epochs yet', soft) },
  );
}
