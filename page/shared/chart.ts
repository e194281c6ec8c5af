// SPDX-License-Identifier: MIT
// A chart of lines in SVG. Lines differ by dash and by their name at the end, not by colour alone.
import { h, s } from './dom.js';
import { baselinesInside, markOfDot, marksAlong } from './chart_names.js';
import { heightOfChart, roomOfPage } from './room.js';
import { integer, small } from './text.js';

export interface ChartLine {
  name: string;
  /** [x, y]; a gap where y is not finite. */
  points: readonly (readonly [number, number])[];
  /** 'kept' is blue, 'alarm' vermilion and dashed, 'ghost' grey and dotted. */
  look: 'kept' | 'alarm' | 'ghost';
  /** [x, low, high]: a tinted range around the line. */
  band?: readonly (readonly [number, number, number])[];
  /** Whether to draw dots without a line, for values of x that are names, not amounts. */
  isDotted?: boolean;
}

export interface ChartOptions {
  /** Text that a screen reader reads in place of the picture. */
  label: string;
  lines: readonly ChartLine[];
  x: readonly [number, number];
  y: readonly [number, number];
  xTitle: string;
  yTitle: string;
  xTicks?: readonly number[];
  yTicks?: readonly number[];
  /** Text of a tick of x; its number by default. */
  tick?(x: number): string;
  /** The x of a vertical line, with a dot where it crosses each line of the chart. */
  marker?: number;
  /** Ranges of x that are masked, drawn on hatched ground. */
  masked?: readonly (readonly [number, number])[];
  /** The links that light up with each integer x, see linked.ts. */
  links?: readonly (string | undefined)[];
  /** Height in units of the drawing. */
  height?: number;
  /** Width in units of the drawing; smaller for charts that stand side by side. */
  width?: number;
}

const left = 44;
const top = 16;
const bottom = 40;

/** Returns a smaller width for a narrow screen, so that letters stay as large as the text's. */
function size(whole = 640): { width: number; right: number; narrow: boolean } {
  const room = Math.max(260, roomOfPage());
  const narrow = room < 560;
  return { width: narrow ? room : whole, right: narrow ? 10 : 108, narrow };
}

export function lineChart(options: ChartOptions): HTMLElement {
  const height = heightOfChart(options.height ?? 260);
  const { width, right, narrow } = size(options.width);
  const [x0, x1] = options.x;
  const [y0, y1] = options.y;
  const px = (x: number) => left + ((x - x0) / (x1 - x0 || 1)) * (width - left - right);
  const py = (y: number) =>
    top + (1 - (clamp(y, y0, y1) - y0) / (y1 - y0 || 1)) * (height - top - bottom);
  const svg = s('svg', {
    viewBox: `0 0 ${width} ${height}`,
    class: 'chart',
    role: 'img',
    'aria-label': options.label,
    // The area of the lines, for scripts that need the value under a pointer.
    'data-plot': [left, top, width - left - right, height - top - bottom].join(' '),
  });
  svg.append(hatchPattern());
  for (const [from, to] of options.masked ?? []) {
    svg.append(
      s('rect', {
        class: 'span',
        x: px(from),
        y: top,
        width: px(to) - px(from),
        height: height - top - bottom,
      }),
    );
  }
  svg.append(...axes(options, px, py, { height, width, right }));
  if (options.marker !== undefined) {
    const at = px(options.marker);
    svg.append(s('line', { class: 'marker', x1: at, x2: at, y1: top, y2: height - bottom }));
  }
  const ends = options.lines.map(({ points }) =>
    py(points.findLast(([, y]) => Number.isFinite(y))?.[1] ?? y0),
  );
  const dotsOf = ({ points }: ChartLine) =>
    points.filter(([x, y]) => x === options.marker && Number.isFinite(y));
  const placed = ([x, y]: readonly [number, number]) => [px(x), py(y)] as const;
  const baselines = narrow
    ? baselinesInside(
        options.lines.map(({ name }, index) => ({ name, end: ends[index] ?? 0 })),
        { right: width - right, top, floor: height - bottom },
        options.lines.flatMap((line) => [
          ...marksAlong(line.points.map(placed), line.isDotted === true),
          ...dotsOf(line).map((dot) => markOfDot(placed(dot))),
        ]),
      )
    : // The last tick is below the ends of lines at the floor.
      spread(ends, height - bottom - 8).map((end) => end + 4);
  options.lines.forEach((line, index) => {
    if (line.band)
      svg.append(s('path', { class: `band ${line.look}`, d: bandOf(line.band, px, py) }));
    svg.append(
      ...(line.isDotted
        ? line.points.map(([x, y]) =>
            s('circle', { class: `mark ${line.look}`, cx: px(x), cy: py(y), r: 4 }),
          )
        : [s('path', { class: `line ${line.look}`, d: pathOf(line.points, px, py) })]),
    );
    // Names go beside the line; on a narrow screen above or below its end.
    const place = narrow ? { x: width - right, 'text-anchor': 'end' } : { x: width - right + 8 };
    const baseline = baselines[index] ?? 0;
    svg.append(s('text', { class: `name ${line.look}`, y: baseline, ...place }, line.name));
    const [marked] = dotsOf(line);
    if (marked)
      svg.append(
        s('circle', { class: `dot ${line.look}`, cx: px(marked[0]), cy: py(marked[1]), r: 5 }),
      );
  });
  (options.links ?? []).forEach((link, x) => {
    const place = { x: px(x - 0.5), y: top, width: px(x + 0.5) - px(x - 0.5) };
    const floor = height - top - bottom;
    svg.append(s('rect', { class: 'column', 'data-link': link, ...place, height: floor }));
  });
  return h('div', { class: 'chart-box' }, svg);
}

/** Returns a tick as people write it. */
const written = (tick: number): string =>
  tick !== 0 && Math.abs(tick) < 0.001 ? small(tick) : integer(tick);

const clamp = (value: number, min: number, max: number) => Math.min(max, Math.max(min, value));

function pathOf(
  points: ChartLine['points'],
  px: (x: number) => number,
  py: (y: number) => number,
): string {
  let pen = 'M';
  let path = '';
  for (const [x, y] of points) {
    if (!Number.isFinite(y)) {
      pen = 'M';
      continue;
    }
    path += `${pen}${px(x).toFixed(1)} ${py(y).toFixed(1)}`;
    pen = 'L';
  }
  return path;
}

/** Returns the outline of a band: along its upper ends and back along its lower ones. */
function bandOf(
  band: NonNullable<ChartLine['band']>,
  px: (x: number) => number,
  py: (y: number) => number,
): string {
  const point = (x: number, y: number) => `${px(x).toFixed(1)} ${py(y).toFixed(1)}`;
  const upper = band.map(([x, , high]) => point(x, high));
  const lower = band.map(([x, low]) => point(x, low)).reverse();
  return `M${[...upper, ...lower].join('L')}Z`;
}

/** Moves the names at the ends of lines apart, and up from the floor, until none hides another. */
function spread(places: number[], floor: number): number[] {
  const order = places.map((_, index) => index).sort((a, b) => (places[a] ?? 0) - (places[b] ?? 0));
  const moved = [...places];
  order.forEach((index, k) => {
    const before = order[k - 1];
    if (before !== undefined) moved[index] = Math.max(moved[index] ?? 0, (moved[before] ?? 0) + 17);
  });
  const over = Math.max(0, (moved[order.at(-1) ?? 0] ?? 0) - floor);
  return over > 0
    ? moved.map((place) => (place > floor - 17 * order.length ? place - over : place))
    : moved;
}

function axes(
  { x, y, xTicks, yTicks, xTitle, yTitle, tick: named = written }: ChartOptions,
  px: (x: number) => number,
  py: (y: number) => number,
  { height, width, right }: { height: number; width: number; right: number },
): SVGElement[] {
  const floor = height - bottom;
  const lines = (yTicks ?? y).flatMap((tick) => [
    s('line', { class: 'rule', x1: left, x2: width - right, y1: py(tick), y2: py(tick) }),
    s('text', { class: 'tick', x: left - 6, y: py(tick) + 4, 'text-anchor': 'end' }, written(tick)),
  ]);
  const ticks = (xTicks ?? x).map((tick) =>
    s('text', { class: 'tick', x: px(tick), y: floor + 16, 'text-anchor': 'middle' }, named(tick)),
  );
  const titles = [
    s(
      'text',
      { class: 'title', x: (left + width - right) / 2, y: height - 4, 'text-anchor': 'middle' },
      xTitle,
    ),
    s(
      'text',
      {
        class: 'title',
        x: 12,
        y: (top + floor) / 2,
        'text-anchor': 'middle',
        transform: `rotate(-90 12 ${(top + floor) / 2})`,
      },
      yTitle,
    ),
  ];
  return [...lines, ...ticks, ...titles];
}

function hatchPattern(): SVGElement {
  const lines = s('path', { d: 'M0 0V6', class: 'hatch' });
  const pattern = s(
    'pattern',
    {
      id: 'chart-hatch',
      width: 6,
      height: 6,
      patternUnits: 'userSpaceOnUse',
      patternTransform: 'rotate(45)',
    },
    lines,
  );
  return s('defs', {}, pattern);
}
