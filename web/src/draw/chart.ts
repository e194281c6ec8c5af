// SPDX-License-Identifier: MIT
// A chart of lines. Lines differ by dashes and by their names, not by colour alone.
import type { Block } from './marks.js';
import type { LookName } from './palette.js';
import { fit, group, type Markup, n, type Sheet, textWidth } from './svg.js';
import { numberText } from './values.js';

export interface ChartLine {
  name: string;
  look: 'line' | 'second' | 'cut';
  /** Points [x, y]; y that is not finite is a gap. */
  points: readonly (readonly [number, number])[];
}

export interface Chart {
  title: string;
  xTitle: string;
  width: number;
  height: number;
  lines: readonly ChartLine[];
}

const kTop = 32;
const kBottom = 40;
const kLeft = 48;

/** Returns at most `most` round numbers that cover a range. */
function ticks(low: number, high: number, most: number, isWhole = false): number[] {
  const rough = (high - low) / most || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const factor = [1, 2, 5, 10].find((each) => each * power >= rough * 0.999) ?? 10;
  const step = isWhole ? Math.max(1, Math.round(factor * power)) : factor * power;
  const first = Math.floor(low / step + 1e-9);
  const last = Math.ceil(high / step - 1e-9);
  return Array.from({ length: Math.max(1, last - first) + 1 }, (_, k) => (first + k) * step);
}

const lookOfName: { [look in ChartLine['look']]: LookName } = {
  line: 'accent',
  second: 'ink',
  cut: 'alarm',
};

type XY = readonly [number, number];
type Scale = (value: number) => number;

const isDrawn = ([, y]: XY): boolean => Number.isFinite(y);

function rangeOf(values: readonly number[]): [number, number] {
  if (values.length === 0) return [0, 1];
  return [
    values.reduce((low, value) => Math.min(low, value)),
    values.reduce((high, value) => Math.max(high, value)),
  ];
}

/** Draws a chart whose upper left corner is at [0, 0]. */
export function drawChart(sheet: Sheet, chart: Chart): Block {
  const { lines, width, height } = chart;
  const points = lines.flatMap((line) => line.points);
  const [x0, x1] = rangeOf(points.map(([x]) => x));
  const yTicks = ticks(...rangeOf(points.filter(isDrawn).map(([, y]) => y)), 4);
  const [y0, y1] = [yTicks[0] ?? 0, yTicks.at(-1) ?? 1];
  const names = lines.map(({ name }) => textWidth(fit(name, 11, 112), 11));
  const right = width - Math.max(0, ...names) - 16;
  const floor = height - kBottom;
  const px = (x: number) => kLeft + ((x - x0) / (x1 - x0 || 1)) * (right - kLeft);
  const py = (y: number) => floor - ((y - y0) / (y1 - y0 || 1)) * (floor - kTop);
  const xTicks = ticks(x0, x1, 6, true).filter((x) => x >= x0 && x <= x1);
  const small = (x: number, y: number, text: string, anchor: 'middle' | 'end') =>
    sheet.text('soft', x, y, text, { size: 11, anchor });
  const ends = endsOf(lines.map(({ points: all }) => py(all.filter(isDrawn).at(-1)?.[1] ?? y0)));
  return {
    width,
    height,
    markup: group(
      sheet.text('ink', 0, 12, fit(chart.title, 13, width), { bold: true }),
      sheet.path('rule', yTicks.map((y) => `M${kLeft} ${n(py(y))}H${n(right)}`).join('')),
      ...yTicks.map((y) => small(kLeft - 8, py(y) + 4, numberText(y), 'end')),
      ...xTicks.map((x) => small(px(x), floor + 16, numberText(x), 'middle')),
      small((kLeft + right) / 2, floor + 34, chart.xTitle, 'middle'),
      ...lines.map((line, index) =>
        group(
          drawLine(sheet, line, px, py),
          sheet.text(
            lookOfName[line.look],
            right + 10,
            (ends[index] ?? 0) + 4,
            fit(line.name, 11, 112),
            {
              size: 11,
              bold: true,
            },
          ),
        ),
      ),
    ),
  };
}

/** Moves the names at the ends of lines apart. */
function endsOf(places: number[]): number[] {
  const order = [...places.keys()].sort((a, b) => (places[a] ?? 0) - (places[b] ?? 0));
  order.slice(1).forEach((index, place) => {
    const before = places[order[place] ?? 0] ?? 0;
    places[index] = Math.max(places[index] ?? 0, before + 16);
  });
  return places;
}

/** Draws a line, with a dot at each point if there are few. */
function drawLine(sheet: Sheet, { look, points }: ChartLine, px: Scale, py: Scale): Markup {
  const drawn = points.filter(isDrawn);
  const dots = drawn.length < 16 ? drawn : [];
  return group(
    sheet.path(look, pathOf(points, px, py)),
    ...dots.map(([x, y]) => sheet.circle(lookOfName[look], px(x), py(y), 3)),
  );
}

/** Returns the data of a line with gaps. */
function pathOf(points: ChartLine['points'], px: Scale, py: Scale): string {
  let pen = 'M';
  return points
    .map(([x, y]) => {
      if (!Number.isFinite(y)) {
        pen = 'M';
        return '';
      }
      const part = `${pen}${n(px(x))} ${n(py(y))}`;
      pen = 'L';
      return part;
    })
    .join('');
}
