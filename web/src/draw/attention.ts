// SPDX-License-Identifier: MIT
import { ShapeError } from '../base/errors.js';
import { refuse } from '../base/check.js';
import { type Block, hatching } from './marks.js';
import { type FigureOptions, settingsOf } from './options.js';
import { fit, group, type Markup, Sheet, textWidth, translated } from './svg.js';
import {
  type Drawable,
  maskOf,
  type Nested,
  numberText,
  rowsOf,
  shapeOf,
  valuesOf,
} from './values.js';
import { counted } from './words.js';

/** Options of {@link drawAttention}. */
export interface AttentionOptions extends FigureOptions {
  /** Mask of the keys: a tensor with a mask, a mask, or nested booleans, of one row or of a batch. */
  mask?: Drawable | null;
  /** Row of the batch that is drawn if `scores` is a batch: [batch, heads, queries, keys]. Default 0. */
  row?: number;
  /** Texts of the queries and keys, such as the words of a sentence. */
  queries?: readonly string[];
  /** Texts of the keys; those of the queries if there are as many keys. */
  keys?: readonly string[];
}

type Grid = number[][];

/** Cells beyond this number of an axis are not drawn. */
const kMost = 64;

/** Returns the grids of the heads of one row of the batch. */
function gridsOf(scores: Drawable, row: number): Grid[] {
  const values = valuesOf(scores, 'the scores');
  const shape = shapeOf(values, 'the scores');
  if (shape.length < 2 || shape.length > 4) {
    throw new ShapeError(
      `scores must have the shape [queries, keys], [heads, queries, keys] or [batch, heads, queries, keys], not [${shape}]`,
    );
  }
  const rows = shape.length === 4 ? (values as Nested[]) : [values];
  const one = rows[row];
  if (!Number.isInteger(row) || one === undefined) {
    refuse('row', `an integer from 0 to ${rows.length - 1}`, row);
  }
  const heads = shape.length === 2 ? [one] : (one as Nested[]);
  return heads as Grid[];
}

function keysOf(mask: Drawable | null | undefined, row: number, count: number): boolean[] {
  if (mask === undefined || mask === null) return Array<boolean>(count).fill(true);
  const rows = rowsOf(maskOf(mask) ?? valuesOf(mask, 'mask'));
  const keys = (rows[rows.length === 1 ? 0 : row] ?? []).map(Boolean);
  if (keys.length === count) return keys;
  throw new ShapeError(
    `mask has ${keys.length} keys, but the scores have ${count}; pass the mask of the keys`,
  );
}

interface Axis {
  texts: readonly string[];
  room: number;
}

/** Returns the texts of an axis: those of the caller, or numbers from 1. */
function axisOf(texts: readonly string[] | undefined, count: number): Axis {
  const all = Array.from({ length: Math.min(kMost, count) }, (_, index) =>
    fit(String(texts?.[index] ?? index + 1), 11, 88),
  );
  const widest = Math.max(16, ...all.map((text) => textWidth(text, 11)));
  return { texts: all, room: Math.ceil(widest / 8) * 8 };
}

function drawHead(
  sheet: Sheet,
  grid: Grid,
  keep: readonly boolean[],
  axes: { queries: Axis; keys: Axis },
  title: string,
): Block {
  const shown = grid.slice(0, kMost).map((line) => line.slice(0, kMost));
  const pitch = Math.max(shown.length, keep.length) <= 12 ? 32 : 16;
  const { queries, keys } = axes;
  const [left, top] = [queries.room + 8, keys.room + (title ? 32 : 8)];
  const most = shown.flat().reduce((high, score) => Math.max(high, score), 0) || 1;
  const parts: Markup[] = [title ? sheet.text('ink', 0, 12, title, { bold: true }) : group()];
  keys.texts.forEach((text, key) => {
    const [x, y] = [left + key * pitch + pitch / 2 + 3, top - 8];
    parts.push(sheet.turned(keep[key] ? 'ink' : 'masked-ink', x, y, text));
  });
  let hatches = '';
  shown.forEach((line, query) => {
    const y = top + query * pitch;
    parts.push(
      sheet.text('ink', left - 8, y + pitch / 2 + 3, queries.texts[query] ?? '', {
        size: 11,
        anchor: 'end',
      }),
    );
    line.forEach((score, key) => {
      const x = left + key * pitch;
      const share = Math.max(0, Math.min(1, score / most));
      parts.push(sheet.rect(keep[key] ? 'cell' : 'masked', x, y, pitch - 2, pitch - 2, 3));
      if (!keep[key]) hatches += hatching(x, y, pitch - 2, pitch - 2);
      if (share > 0.005) parts.push(sheet.rect('bar', x, y, pitch - 2, pitch - 2, 3, share));
      if (pitch === 32) {
        const look = share > 0.5 ? 'paper' : keep[key] ? 'ink' : 'masked-ink';
        const text = Number.isFinite(score)
          ? score.toFixed(2).replace(/^(-?)0\./, '$1.')
          : String(score);
        if (score !== 0)
          parts.push(sheet.text(look, x + 15, y + 19, text, { size: 11, anchor: 'middle' }));
      }
    });
  });
  parts.push(sheet.path('hatch', hatches));
  return {
    width: left + Math.min(kMost, keep.length) * pitch,
    height: top + shown.length * pitch,
    markup: group(...parts),
  };
}

/**
 * Draws attention scores as a heat map for each head: a row for each query, a column for each key.
 * Darker is more; keys that the mask hides are hatched.
 *
 * `scores` has the shape [queries, keys], [heads, queries, keys] or [batch, heads, queries, keys],
 * as `returnAttentionScores` returns them. Returns SVG as text. Throws ShapeError if the shapes of
 * scores and mask do not fit.
 *
 * @example drawAttention(scores, { mask: x.mask, queries: words, keys: words })
 */
export function drawAttention(scores: Drawable, options: AttentionOptions = {}): string {
  const settings = settingsOf(options, { mask: 1, row: 1, queries: 1, keys: 1 });
  const { mask, row = 0, queries, keys } = options;
  const grids = gridsOf(scores, row);
  const [first = []] = grids;
  const count = first[0]?.length ?? 0;
  const keep = keysOf(mask, row, count);
  const sheet = new Sheet(settings.theme);
  const axes = {
    queries: axisOf(queries, first.length),
    keys: axisOf(keys ?? (first.length === count ? queries : undefined), count),
  };
  const heads = grids.map((grid, head) =>
    drawHead(sheet, grid, keep, axes, grids.length > 1 ? `head ${head + 1}` : ''),
  );
  const { width = 0, height = 0 } = heads[0] ?? {};
  const columns = Math.max(1, Math.min(heads.length, Math.floor(1200 / (width + 24))));
  const placed = heads.map(({ markup }, head) =>
    translated((head % columns) * (width + 24), Math.floor(head / columns) * (height + 24), markup),
  );
  const strongest = first.slice(0, 12).map((line, query) => {
    const best = line.indexOf(Math.max(...line));
    return `${axes.queries.texts[query]} to ${axes.keys.texts[best] ?? best + 1} (${numberText(line[best] ?? 0)})`;
  });
  const hidden = keep.filter((each) => !each).length;
  return sheet.figure(
    settings,
    {
      title: 'Attention',
      description: `${counted(grids.length, 'head')}, ${first.length} × ${count} queries and keys; the mask hides ${hidden} keys. Strongest scores${grids.length > 1 ? ' of head 1' : ''}: ${strongest.join(', ')}.`,
    },
    {
      width: columns * (width + 24) - 24,
      height: Math.ceil(heads.length / columns) * (height + 24) - 24,
    },
    placed,
  );
}
