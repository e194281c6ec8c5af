// SPDX-License-Identifier: MIT
// `drawMask` of maskflow/draw.
import { drawLegend, drawTiles, letterOf, shareOf } from './marks.js';
import { type FigureOptions, settingsOf } from './options.js';
import { figure, moved, soft, text } from './svg.js';
import { type Drawable, itemsOf, maskOf, numberText, rowsOf } from './values.js';
import { counted } from './words.js';

const kMaxRows = 24;
const kRowTitle = 56;

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
  const values = itemsOf(x);
  const ownMask = maskOf(x);
  const isMask = values.items.some((item) => typeof item === 'boolean');
  const mask = ownMask ?? (isMask && values);
  const rows = rowsOf(mask || values).map((row) => row.map((step) => !mask || Boolean(step)));
  const length = rows[0]?.length ?? 0;
  // Values that have a mask show it only if both have the same axes.
  const isSame = !isMask && String(values.shape) === String((mask || values).shape);
  const numbers =
    isSame && length <= 24
      ? rowsOf(values)
          .slice(0, kMaxRows)
          .map((row) => row.map((cell) => numberText(cell)))
      : [];
  const areShort = numbers.flat().every((number) => number.length <= 4);
  const isWide = numbers[0] ? areShort : length <= 12;
  const label = (row: number, step: number): string =>
    numbers[0] && areShort
      ? (numbers[row]?.[step] as string)
      : mask
        ? letterOf(rows[row]?.[step])
        : '';
  const tiles = drawTiles(rows, 768, kMaxRows, isWide ? 32 : 16, label);
  const kept = rows.map((row) => row.filter(Boolean).length);
  const state = mask
    ? `${Math.round(shareOf(rows) * length * rows.length)} of ${length * rows.length} are data`
    : 'without a mask';
  return figure(
    settings,
    isMask ? 'Mask' : ownMask ? 'Batch and its mask' : 'Batch without a mask',
    `${counted(rows.length, 'row')} of ${counted(length, 'step')}, ${state}. Steps kept in each row: ${kept.slice(0, 100).join(', ')}.`,
    {
      width: kRowTitle + Math.max(tiles.width, 136),
      height: tiles.height + (mask ? 32 : 0),
      markup: [
        kept
          .slice(0, kMaxRows)
          .map(
            (_, row) =>
              (tiles.pitch > 8 || row % 2 === 0) &&
              text(0, (row + 0.5) * tiles.pitch + 3, `row ${row + 1}`, soft),
          ),
        moved(kRowTitle, 0, tiles.markup),
        mask && moved(kRowTitle, tiles.height + 16, drawLegend().markup),
      ],
    },
  );
}
