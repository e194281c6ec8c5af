// SPDX-License-Identifier: MIT
// Marks that figures share: tiles of a mask, the legend, wires and ribbons. A kept step is blue
// with a T, a masked one is hatched with an F.
import type { Colour } from './palette.js';
import { type Block, moved, type Part, path, soft, svg, text } from './svg.js';

const cut = svg`fill="none" stroke="alarm" stroke-width="2" stroke-dasharray="6 4"`;

/** Returns the data of lines, 45° upwards, in a square. */
function hatching(x: number, y: number, size: number): Part {
  const gap = size > 8 ? 6 : 7;
  const lines: Part[] = [];
  for (let from = gap; from < 2 * size; from += gap) {
    const low = Math.max(0, from - size);
    const high = from - low;
    lines.push(svg`M${x + low} ${y + high}L${x + high} ${y + low}`);
  }
  return lines;
}

/** A tile of a grid. */
interface Tile {
  /** Share of kept steps: the blue part. The rest is hatched. */
  share: number;
  /** A short text. Small tiles have none. */
  label: string;
  /** Darkness from 0 to 1 of a tile that shows a number. */
  heat?: number;
}

/** Draws tiles that are `pitch` pixels apart: a multiple of 8. */
export function drawGrid(
  rows: number,
  columns: number,
  pitch: number,
  tileAt: (row: number, column: number) => Tile,
): Part {
  const size = pitch > 8 ? pitch - 2 : 7;
  const [masked, hatches, kept, heats, labels] = [[], [], [], [], []] as [
    Part[],
    Part[],
    Part[],
    Part[],
    Part[],
  ];
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      const { share, label, heat } = tileAt(row, column);
      const [x, y] = [column * pitch, row * pitch];
      const tile = (width: number, look: Part) =>
        svg`<rect x="${x}" y="${y}" width="${width}" height="${size}" rx="${pitch > 8 ? 3 : 1}"${look}/>`;
      const isMasked = share < 1;
      if (isMasked) {
        masked.push(tile(size, ''));
        hatches.push(hatching(x, y, size));
      }
      if (heat !== undefined) heats.push(tile(size, svg` fill-opacity="${heat.toFixed(2)}"`));
      else if (share > 0) kept.push(tile(size * share, ''));
      const ink = heat === undefined ? 'kept-ink' : 'ink';
      // A letter on hatching has a margin, so that it can be read.
      const look = isMasked
        ? svg`fill="masked-ink" stroke="masked" stroke-width="4" paint-order="stroke"`
        : svg`fill="${ink}"`;
      if (pitch > 8) labels.push(text(x + size / 2, y + size / 2 + 4, label, look));
    }
  }
  return [
    svg`<g fill="masked" stroke="hatch">${masked}</g>`,
    path(hatches, svg`stroke="hatch" stroke-width="1.5"`),
    svg`<g fill="kept" stroke="kept-edge">${kept}</g>`,
    svg`<g fill="heat" stroke="line">${heats}</g>`,
    svg`<g text-anchor="middle" font-family="mono" font-size="11">${labels}</g>`,
  ];
}

/** Rows of a mask: true is kept. */
export type MaskRows = readonly (readonly boolean[])[];

export const letterOf = (keep: boolean | undefined): string => (keep ? 'T' : 'F');

/** Returns the share of kept steps. */
export function shareOf(rows: MaskRows): number {
  const steps = rows.flat();
  return steps.length > 0 ? steps.filter(Boolean).length / steps.length : 1;
}

/**
 * Draws the first `max` rows of a mask as tiles, and returns the distance of two of them. Tiles of
 * many steps are small, or stand for several steps each. Says what it leaves out.
 */
export function drawTiles(
  rows: MaskRows,
  room: number,
  max: number,
  largest = 16,
  label = (row: number, step: number) => letterOf(rows[row]?.[step]),
): Block & { pitch: number } {
  const steps = rows[0]?.length ?? 0;
  const pitch = [32, 16].find((each) => each <= largest && steps * each <= room) ?? 8;
  const each = Math.max(1, Math.ceil((steps * pitch) / room));
  const count = Math.min(rows.length, max);
  const columns = Math.ceil(steps / each);
  const notes = [
    each > 1 && `each tile is ${each} steps`,
    rows.length > max && `${rows.length - max} more rows`,
  ].filter(Boolean);
  const height = count * pitch;
  return {
    pitch,
    width: Math.max(columns * pitch, notes.length * 120),
    height: height + (notes.length > 0 ? 16 : 0),
    markup: [
      drawGrid(count, columns, pitch, (row, column) => ({
        share: shareOf([rows[row]?.slice(column * each, (column + 1) * each) ?? []]),
        label: label(row, column),
      })),
      text(0, height + 12, notes.join(', '), soft),
    ],
  };
}

/** A point where a wire or a ribbon passes, vertically. */
export type Point = readonly [x: number, y: number];

/** Returns the data of a smooth path through points. */
const curve = (points: readonly Point[]): Part =>
  points.map(([x, y], index) => {
    const [x0, y0] = points[index - 1] ?? [x, y];
    const middle = (y0 + y) / 2;
    return index > 0 ? svg`C${x0} ${middle} ${x} ${middle} ${x} ${y}` : svg`M${x} ${y}`;
  });

/** Draws a mask along an edge: blue for the share of kept steps, hatched for the rest. */
export function drawRibbon(points: readonly Point[], rows: MaskRows): Part {
  // A few masked steps remain visible, and so do a few kept ones.
  const share = shareOf(rows);
  const kept = share % 1 ? Math.min(13, Math.max(3, share * 16)) : share * 16;
  const whole = curve(points);
  const left = curve(points.map(([x, y]) => [x - (16 - kept) / 2, y]));
  const band = (d: Part, colour: Colour, width: number, dashes = 'none') =>
    width > 0 &&
    path(
      d,
      svg`fill="none" stroke="${colour}" stroke-width="${width}" stroke-dasharray="${dashes}"`,
    );
  return [
    band(whole, 'hatch', 16),
    band(whole, 'masked', 14),
    band(whole, 'hatch', 14, '2 4'),
    band(left, 'kept-edge', kept),
    band(left, 'kept', kept - 2),
  ];
}

/** Draws an edge without a mask, with its arrowhead; `isLost` marks where a mask ends. */
export function drawWire(points: readonly Point[], isLost?: unknown): Part {
  const [x, y] = points.at(-1) as Point;
  return [
    path(
      curve([...points.slice(0, -1), [x, y - 6]]),
      isLost ? cut : svg`fill="none" stroke="edge" stroke-width="2"`,
    ),
    path(svg`M${x - 4} ${y - 7}h8L${x} ${y}z`, svg`fill="${isLost ? 'alarm' : 'edge'}"`),
  ];
}

/** Draws the legend of figures with masks. */
export const drawLegend = (isLost?: boolean): Block => ({
  width: isLost ? 248 : 136,
  height: 16,
  markup: [
    [1, 0].map((share, index) =>
      moved(
        64 * index,
        0,
        drawGrid(1, 1, 16, () => ({ share, label: '' })),
      ),
    ),
    text(24, 11, 'data', soft),
    text(88, 11, 'padding', soft),
    isLost && [path('M152 7h24', cut), text(184, 11, 'mask lost', soft)],
  ],
});
