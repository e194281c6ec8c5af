// SPDX-License-Identifier: MIT
// A chart of one or two lines, which differ by dashes and by their names, not by colour alone.
import { type Block, bold, boldIn, fit, type Part, path, softEnd, softMiddle, svg } from './svg.js';
import { text, textWidth } from './svg.js';
import { numberText } from './values.js';

const dashed = svg`stroke-width="2" stroke-dasharray="6 4"`;
/** The colour of a line and its name, and the stroke of the line. */
const looks = {
  line: ['accent', svg`stroke-width="3" stroke-linejoin="round"`],
  second: ['ink', dashed],
  cut: ['alarm', dashed],
} as const;

/** Values from the first x on, with the name of the line; a value that is not finite is a gap. */
export type ChartLine = readonly [
  values: readonly number[],
  look: keyof typeof looks,
  name: string,
];

export interface Chart {
  title: string;
  xTitle: string;
  width: number;
  height: number;
  /** The x of each value, ascending. */
  xs: readonly number[];
  /** One or two lines. */
  lines: readonly ChartLine[];
  /** Values that the axis covers in any case. */
  covers?: readonly number[];
}

const kTop = 40;

const isDrawn = (value: number): boolean => Math.abs(value) < 1e300;

/** Returns round numbers that cover the values, at least `least` apart, with their texts. */
function ticksOf(values: readonly number[], max: number, least: number): [number, string][] {
  const low = values.reduce((a, b) => Math.min(a, b), values[0] ?? 0);
  const high = values.reduce((a, b) => Math.max(a, b), low);
  const rough = Math.max(least, high / max - low / max || Math.abs(high) || 1);
  const power = 10 ** Math.floor(Math.log10(rough) + 1e-9);
  const step = power * ([1, 2, 5].find((each) => each * power >= rough * 0.999) ?? 10);
  const first = Math.floor(low / step + 1e-9);
  const count = Math.max(1, Math.ceil(high / step - 1e-9) - first);
  return Array.from({ length: count + 1 }, (_, index) => {
    const tick = (first + index) * step;
    const digits = Math.floor(Math.log10(Math.abs(tick) / power) + 1.001);
    return [tick, numberText(tick, Math.min(15, Math.max(1, digits)))];
  });
}

/** Draws a chart. */
export function drawChart({ title, xTitle, width, height, xs, lines, covers = [] }: Chart): Block {
  const values = lines.flatMap(([line]) => line.filter(isDrawn));
  const yTicks = ticksOf([...covers, ...values], 4, 1e-300);
  const [[low]] = yTicks as [[number, string]];
  const [high] = yTicks.at(-1) as [number, string];
  const [start = 0] = xs;
  const range = (xs.at(-1) ?? start) - start;
  const names = lines.map(([line, , name]) => (line.some(isDrawn) ? name : `${name}: NaN`));
  const widest = (texts: readonly string[]) =>
    Math.max(...texts.map((each) => textWidth(each, 12)));
  const left = widest(yTicks.map(([, label]) => label)) + 12;
  const right = width - widest(names) - 16;
  const bottom = height - 40;
  const px = (x: number) => left + (range ? (x - start) / range : 0.5) * (right - left);
  const py = (y: number) => bottom - ((y - low) / (high - low)) * (bottom - kTop);
  const ends = lines.map(([line]) => py(line.filter(isDrawn).at(-1) ?? low));
  const [one = 0, two = 0] = ends;
  // Names of lines that end close to each other are moved apart.
  if (Math.abs(one - two) < 16) ends[1] = one + (two < one ? -16 : 16);
  return {
    width,
    height,
    markup: [
      text(0, 12, fit(title, 14, width), bold),
      path(
        yTicks.map(([y]) => svg`M${left} ${py(y)}H${right}`),
        svg`stroke="line"`,
      ),
      yTicks.map(([y, label]) => text(left - 8, py(y) + 4, label, softEnd)),
      ticksOf(xs, 6, 1).map(
        ([x, label]) =>
          x >= start && x <= start + range && text(px(x), bottom + 16, label, softMiddle),
      ),
      text((left + right) / 2, bottom + 34, xTitle, softMiddle),
      lines.map(([line, look], index) => {
        const [colour, stroke] = looks[look];
        const d: Part[] = [];
        const dots: Part[] = [];
        line.forEach((y, at) => {
          if (!isDrawn(y)) return;
          const isOpen = isDrawn(line[at - 1] as number);
          const place = svg`${px(xs[at] as number)} ${py(y)}`;
          d.push(isOpen ? 'L' : 'M', place);
          if (line.length < 16 || !(isOpen || isDrawn(line[at + 1] as number)))
            dots.push(svg`M${place}h0`);
        });
        return [
          path(d, svg`fill="none" stroke="${colour}" ${stroke}`),
          path(dots, svg`stroke="${colour}" stroke-width="6" stroke-linecap="round"`),
          text(right + 10, (ends[index] as number) + 4, names[index] as string, boldIn(colour)),
        ];
      }),
    ],
  };
}
