// SPDX-License-Identifier: MIT
// Marks that all figures share: tiles of a mask, hatching, and ribbons. A kept step is blue with a
// T, a masked one is hatched with an F.
import { group, type Markup, n, type Sheet } from './svg.js';

/** Lines of a hatching in a rectangle, 45° upwards, as data of a path. */
export function hatching(x: number, y: number, width: number, height: number, gap = 6): string {
  let d = '';
  for (let from = gap; from < width + height; from += gap) {
    const left = Math.max(0, from - height);
    const right = Math.min(width, from);
    d += `M${n(x + left)} ${n(y + from - left)}L${n(x + right)} ${n(y + from - right)}`;
  }
  return d;
}

export interface Tiles {
  /** Rows of kept (true) and masked steps (false). */
  rows: readonly (readonly boolean[])[];
  /** Distance between the left edges of two tiles. */
  pitch: 8 | 16 | 32;
  /** Text of a tile; tiles of 8 pixels have none. */
  label?: (row: number, step: number) => string;
  /** Largest numbers of rows and steps that are drawn. */
  most: { rows: number; steps: number };
}

/** A drawing with its size. */
export interface Block {
  width: number;
  height: number;
  markup: Markup;
}

/** Draws a mask as tiles. Rows and steps beyond the limit are counted in words. */
export function drawTiles(sheet: Sheet, x: number, y: number, tiles: Tiles): Block {
  const { rows, pitch, label, most } = tiles;
  const size = pitch === 8 ? 7 : pitch - 2;
  const radius = pitch === 8 ? 0 : 3;
  const steps = Math.max(0, ...rows.slice(0, most.rows).map(({ length }) => length));
  const parts: Markup[] = [];
  let hatches = '';
  rows.slice(0, most.rows).forEach((row, index) => {
    row.slice(0, most.steps).forEach((keep, step) => {
      const [left, top] = [x + step * pitch, y + index * pitch];
      parts.push(sheet.rect(keep ? 'kept' : 'masked', left, top, size, size, radius));
      if (!keep) hatches += hatching(left, top, size, size, pitch === 8 ? 4 : 6);
    });
  });
  parts.push(sheet.path('hatch', hatches));
  if (label && pitch > 8) parts.push(tileLabels(sheet, x, y, { ...tiles, label }));
  const shownRows = Math.min(rows.length, most.rows);
  const shownSteps = Math.min(steps, most.steps);
  const more = [
    rows.length > most.rows && `${rows.length - most.rows} more rows`,
    steps > most.steps && `${steps - most.steps} more steps`,
  ].filter(Boolean);
  const height = shownRows * pitch;
  if (more.length > 0) {
    parts.push(sheet.text('soft', x, y + height + 12, `and ${more.join(', ')}`, { size: 11 }));
  }
  return {
    width: Math.max(shownSteps * pitch, more.length > 0 ? 160 : 0),
    height: height + (more.length > 0 ? 16 : 0),
    markup: group(...parts),
  };
}

function tileLabels(sheet: Sheet, x: number, y: number, tiles: Tiles): Markup {
  const { rows, pitch, label = () => '', most } = tiles;
  const size = pitch === 32 ? 13 : 11;
  const middle = pitch / 2 - 1;
  return group(
    ...rows
      .slice(0, most.rows)
      .flatMap((row, index) =>
        row
          .slice(0, most.steps)
          .map((keep, step) =>
            sheet.text(
              keep ? 'kept-ink' : 'masked-ink',
              x + step * pitch + middle,
              y + index * pitch + middle + size * 0.36,
              label(index, step),
              { size, anchor: 'middle', mono: true },
            ),
          ),
      ),
  );
}

/** A point where a ribbon or a wire passes, vertically. */
export interface Point {
  x: number;
  y: number;
}

/** Returns the data of a smooth path through points that alternate straight and curved parts. */
export function curve(points: readonly Point[]): string {
  return points
    .map(({ x, y }, index) => {
      const before = points[index - 1];
      if (!before) return `M${n(x)} ${n(y)}`;
      if (before.x === x) return `L${n(x)} ${n(y)}`;
      const middle = n((before.y + y) / 2);
      return `C${n(before.x)} ${middle} ${n(x)} ${middle} ${n(x)} ${n(y)}`;
    })
    .join('');
}

/** Returns points of such a path, a few pixels apart, each with the direction across it. */
function sample(points: readonly Point[]): { x: number; y: number; dx: number; dy: number }[] {
  return points.slice(1).flatMap((b, index) => {
    const a = points[index] ?? b;
    const [width, height] = [b.x - a.x, b.y - a.y];
    const count = Math.max(1, Math.ceil(Math.hypot(width, height) / 6));
    return Array.from({ length: count + 1 }, (_, step) => {
      const t = step / count;
      const [run, rise] = [
        6 * t * (1 - t) * width,
        (1.5 * (1 - 2 * t) ** 2 + 3 * t * (1 - t)) * height,
      ];
      const length = Math.hypot(run, rise) || 1;
      return {
        x: a.x + (3 - 2 * t) * t * t * width,
        y: a.y + (1.5 * t * (1 - t) + t ** 3) * height,
        dx: rise / length,
        dy: -run / length,
      };
    });
  });
}

/** Width of a ribbon. */
const kRibbon = 16;

/** Draws a mask along an edge: a ribbon, blue for the share of kept steps, hatched for the rest. */
export function drawRibbon(sheet: Sheet, points: readonly Point[], kept: number): Markup {
  const samples = sample(points);
  const side = (across: number) =>
    samples.map(({ x, y, dx, dy }) => `${n(x + dx * across)} ${n(y + dy * across)}`);
  const band = (from: number, to: number) =>
    `M${[...side(from), ...side(to).reverse()].join('L')}Z`;
  // A few masked steps remain visible, and so do a few kept ones.
  const share = kept === 0 || kept === 1 ? kept : Math.min(0.8, Math.max(0.2, kept));
  const [left, right] = [-kRibbon / 2, kRibbon / 2];
  const split = left + kRibbon * share;
  const lower = side(split).slice(1);
  const hatches = side(right).map((upper, index) => lower[index] && `M${lower[index]}L${upper}`);
  return group(
    ...(split < right
      ? [
          sheet.path('masked', band(split, right)),
          sheet.path('hatch', hatches.filter(Boolean).join('')),
        ]
      : []),
    ...(split > left ? [sheet.path('kept', band(left, split))] : []),
  );
}

/** Draws the arrowhead of an edge. */
export const drawArrow = (sheet: Sheet, look: 'arrow' | 'alarm-dot', { x, y }: Point): Markup =>
  sheet.path(look, `M${n(x - 4)} ${n(y - 7)}h8L${n(x)} ${n(y)}z`);

/** Draws the legend of figures with masks; returns its width. */
export function drawLegend(sheet: Sheet, x: number, y: number, isLost: boolean): Block {
  const kept = drawTiles(sheet, x, y, {
    rows: [[true]],
    pitch: 16,
    most: { rows: 1, steps: 1 },
  });
  const masked = drawTiles(sheet, x + 64, y, {
    rows: [[false]],
    pitch: 16,
    most: { rows: 1, steps: 1 },
  });
  const word = (left: number, text: string) => sheet.text('soft', left, y + 11, text, { size: 11 });
  const lost = isLost
    ? [sheet.path('cut', `M${n(x + 152)} ${n(y + 7)}h24`), word(x + 184, 'mask lost')]
    : [];
  return {
    width: isLost ? 248 : 136,
    height: 16,
    markup: group(
      kept.markup,
      word(x + 24, 'data'),
      masked.markup,
      word(x + 88, 'padding'),
      ...lost,
    ),
  };
}
