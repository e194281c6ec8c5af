// SPDX-License-Identifier: MIT
import { drawLegend, drawTiles } from './marks.js';
import { type FigureOptions, settingsOf } from './options.js';
import { Sheet } from './svg.js';
import { type Drawable, maskOf, numberText, rowsOf, shapeOf, valuesOf } from './values.js';
import { counted } from './words.js';

const kMostRows = 24;
const kRowTitle = 56;

/** Returns the size of tiles, and the number of steps that fit a row. */
function tilesFor(steps: number, isWide: boolean): { pitch: 8 | 16 | 32; steps: number } {
  if (isWide && steps <= 24) return { pitch: 32, steps };
  return steps <= 48 ? { pitch: 16, steps } : { pitch: 8, steps: 96 };
}

/**
 * Draws a batch with its mask: one tile for each step, blue for data and hatched for padding.
 *
 * `x` is a tensor with a mask, a mask (a tensor or nested arrays of booleans), or a batch of
 * numbers without a mask. The tiles of short numbers show them, others T and F. Returns SVG as
 * text. Throws ValueError for another value, and ShapeError for rows of different lengths.
 *
 * @example drawMask(layers.embedding({ inputDim: 9, outputDim: 2, maskZero: true }).apply(ids))
 */
export function drawMask(x: Drawable, options: FigureOptions = {}): string {
  const settings = settingsOf(options);
  const values = valuesOf(x, 'x');
  const shape = shapeOf(values, 'x');
  const mask = maskOf(x);
  const cells = rowsOf(values);
  const isMask = cells.some((row) => row.some((cell) => typeof cell === 'boolean'));
  const steps = mask ? rowsOf(mask) : cells;
  const rows = steps.map((row) => row.map((step) => (mask || isMask ? Boolean(step) : true)));
  // Values that have a mask show it only if both have the same axes.
  const hasNumbers = !isMask && String(shape) === String(mask ? shapeOf(mask, 'the mask') : shape);
  const shown = (row: number, step: number) => numberText(cells[row]?.[step] ?? 0);
  const fits =
    hasNumbers &&
    cells.slice(0, kMostRows).every((row) => row.every((cell) => numberText(cell).length <= 4));
  const length = rows[0]?.length ?? 0;
  const { pitch, steps: most } = tilesFor(length, fits || (length <= 12 && !hasNumbers));
  const letter = (row: number, step: number) => (rows[row]?.[step] ? 'T' : 'F');
  const sheet = new Sheet(settings.theme);
  const tiles = drawTiles(sheet, kRowTitle, 0, {
    rows,
    pitch,
    label: fits && pitch === 32 ? shown : mask || isMask ? letter : () => '',
    most: { rows: kMostRows, steps: most },
  });
  const kept = rows.map((row) => row.filter(Boolean).length);
  const titles = rows
    .slice(0, kMostRows)
    .flatMap((_, row) =>
      pitch === 8 && row % 2 > 0
        ? []
        : sheet.text('soft', 0, row * pitch + pitch / 2 + 3, `row ${row + 1}`, { size: 11 }),
    );
  const legend = drawLegend(sheet, kRowTitle, tiles.height + 16, false);
  const total = kept.reduce((sum, count) => sum + count, 0);
  const state = mask || isMask ? `${total} of ${rows.flat().length} are data` : 'without a mask';
  return sheet.figure(
    settings,
    {
      title: isMask ? 'Mask' : mask ? 'Batch and its mask' : 'Batch without a mask',
      description: `${counted(rows.length, 'row')} of ${counted(length, 'step')}, ${state}. Steps kept in each row: ${kept.slice(0, 100).join(', ')}.`,
    },
    {
      width: kRowTitle + Math.max(tiles.width, legend.width),
      height: tiles.height + (mask || isMask ? 32 : 0),
    },
    [...titles, tiles.markup, ...(mask || isMask ? [legend.markup] : [])],
  );
}
