// SPDX-License-Identifier: MIT
import { find, h, s } from '../shared/dom.js';
import { captionOf, headOf, rowHead, scrollable } from '../shared/grid.js';
import { count, decimal } from '../shared/text.js';

const [height, margin] = [150, 14];
// Of a column in pixels: as the room allows, but never so narrow that dots run into each other.
const [narrowest, widest] = [6, 14];

/** Readings as dots, gaps and padding hatched; the forecast is a diamond in the column after the last reading. */
export function sensorChart(
  readings: (number | null)[],
  more: number,
  forecast: number | null,
): HTMLElement {
  const columns = readings.length + 1 + more;
  const room = Math.floor(find('#models .picture').clientWidth / columns);
  const column = Math.min(widest, Math.max(narrowest, room));
  const known = [...readings, forecast].filter((value) => value !== null);
  const reach = Math.max(0.5, ...known.map(Math.abs));
  const x = (t: number) => (t + 0.5) * column;
  const y = (value: number) => height / 2 - (value / reach) * (height / 2 - margin);
  const gaps = readings.filter((value) => value === null).length;
  const label = `${count(readings.length, 'step')}, ${gaps} missing, ${more} of padding${forecast === null ? '' : `; forecast ${decimal(forecast, 3)}`}`;
  const svg = s(
    'svg',
    {
      class: 'signal',
      viewBox: `0 0 ${columns * column} ${height}`,
      width: columns * column,
      height,
      role: 'img',
      'aria-label': label,
    },
    hatching(),
    ...Array.from({ length: columns }, (_, t) => {
      const masked = t === readings.length ? false : (readings[t] ?? null) === null;
      const kind = masked ? 'away' : 'here';
      return s('rect', { class: kind, x: t * column, y: 0, width: column, height });
    }),
    s('line', { class: 'zero', x1: 0, x2: columns * column, y1: height / 2, y2: height / 2 }),
    ...lines(readings, x, y),
    ...readings.map((value, t) =>
      value === null ? null : s('circle', { cx: x(t), cy: y(value), r: column / 4 }),
    ),
    forecast === null ? null : diamond(x(readings.length), y(forecast)),
  );
  const legend = h(
    'p',
    { class: 'caption legend' },
    h('span', {}, h('span', { class: 'dot', 'aria-hidden': 'true' }, '●'), ' a reading'),
    h('span', {}, h('span', { class: 'gem', 'aria-hidden': 'true' }, '◆'), ' the forecast'),
    h(
      'span',
      {},
      h('span', { class: 'key masked', 'aria-hidden': 'true' }),
      ' missing, or padding: skipped',
    ),
    h('span', {}, `top and bottom: ±${decimal(reach, 2)}`),
  );
  const box = h('div', { class: 'drawn' }, svg);
  return h('div', { class: 'charted' }, scrollable(box, 'Readings'), legend);
}

function hatching(): SVGElement {
  const pattern = {
    id: 'signal-hatch',
    width: 6,
    height: 6,
    patternUnits: 'userSpaceOnUse',
    patternTransform: 'rotate(45)',
  };
  return s('defs', {}, s('pattern', pattern, s('path', { d: 'M0 0V6' })));
}

/** Between readings that follow each other; over a gap there is nothing to draw. */
function lines(
  readings: (number | null)[],
  x: (t: number) => number,
  y: (value: number) => number,
): SVGElement[] {
  return readings.flatMap((value, t) => {
    const before = readings[t - 1] ?? null;
    if (value === null || before === null) return [];
    return [s('line', { class: 'way', x1: x(t - 1), y1: y(before), x2: x(t), y2: y(value) })];
  });
}

const diamond = (x: number, y: number): SVGElement =>
  s('path', { class: 'forecast', d: `M${x} ${y - 7}l7 7l-7 7l-7-7z` });

/** The same as numbers. */
export function sensorTable(readings: (number | null)[], more: number): HTMLElement {
  const rows = [...readings, ...Array<null>(more).fill(null)].map((value, t) => {
    const words = value === null ? (t < readings.length ? 'missing' : 'padding') : decimal(value);
    return h(
      'tr',
      { class: value === null ? 'masked' : undefined },
      rowHead(String(t)),
      h('td', {}, h('span', {}, words)),
    );
  });
  const numbers = h(
    'table',
    { class: 'numbers' },
    captionOf({ caption: 'Readings' }),
    headOf({ columns: ['reading'], corner: 'step' }),
    h('tbody', {}, ...rows),
  );
  return scrollable(numbers, 'Readings as a table');
}
