// SPDX-License-Identifier: MIT
// `drawAttention` of maskflow/draw.
import { ShapeError } from '../base/errors.js';
import { refuse } from '../base/check.js';
import { drawGrid } from './marks.js';
import { type FigureOptions, settingsOf } from './options.js';
import {
  arranged,
  type Block,
  figure,
  fit,
  moved,
  soft,
  softEnd,
  svg,
  text,
  textWidth,
} from './svg.js';
import { type Drawable, itemsOf, maskOf, numberText, rowsOf } from './values.js';
import { counted } from './words.js';

/** Options of {@link drawAttention}. */
export interface AttentionOptions extends FigureOptions {
  /**
   * Mask of the keys: a tensor with a mask, a mask, or nested booleans, of one row or of a batch.
   */
  mask?: Drawable | null;
  /**
   * Row of the batch that is drawn if `scores` is a batch: [batch, heads, queries, keys]. Default
   * 0.
   */
  row?: number;
  /** Texts of the queries and keys, such as the words of a sentence. */
  queries?: readonly string[];
  /** Texts of the keys; those of the queries if there are as many keys. */
  keys?: readonly string[];
}

/** Cells beyond this number of an axis are not drawn. */
const kMax = 96;

function keysOf(mask: Drawable | null | undefined, row: number, count: number): boolean[] {
  if (mask === undefined || mask === null) return Array<boolean>(count).fill(true);
  const rows = rowsOf(maskOf(mask) ?? itemsOf(mask));
  const keys = (rows[rows.length === 1 ? 0 : row] ?? []).map(Boolean);
  if (keys.length === count) return keys;
  throw new ShapeError(
    `mask has ${keys.length} keys, but the scores have ${count}; pass the mask of the keys`,
  );
}

/** Texts of an axis, and their width; small heat maps have no room for them. */
interface Axis {
  texts: string[];
  room: number;
}

/** Returns the texts of an axis, those of the caller or numbers from 1. */
function axisOf(texts: readonly string[] | undefined, count: number): Axis {
  const all = Array.from({ length: Math.min(kMax, count) }, (_, index) =>
    fit(String(texts?.[index] ?? index + 1), 11, 88),
  );
  return { texts: all, room: Math.max(16, ...all.map((each) => textWidth(each, 11))) + 8 };
}

const scoreText = (score: number): string =>
  Math.abs(score) < 10 ? score.toFixed(2).replace('0.', '.') : fit(numberText(score, 2), 11, 32);

/** Opacity of the strongest tile with a number, whose ink has a contrast of 4.5 on it. */
const strongest = 0.55;

/** Draws the heat map of a head; `grid` begins with its rows. */
function drawHead(
  title: string,
  grid: readonly (readonly number[])[],
  queries: Axis,
  keys: Axis,
  keep: readonly boolean[],
  pitch: number,
): Block {
  const hasTexts = pitch > 8;
  const left = hasTexts ? queries.room : 0;
  const top = (hasTexts ? keys.room : 0) + (title ? 24 : 0);
  const highest = grid.flat().reduce((max, score) => Math.max(max, score || 0), 0) || 1;
  const tileAt = (query: number, key: number) => {
    const score = grid[query]?.[key] as number;
    const hasNumbers = pitch > 16;
    return {
      share: keep[key] ? 1 : 0,
      label: score && hasNumbers ? scoreText(score) : '',
      heat: (hasNumbers ? strongest : 1) * Math.min(1, Math.max(0, score / highest)) || 0,
    };
  };
  const tiles = drawGrid(queries.texts.length, keys.texts.length, pitch, tileAt);
  const middle = (index: number) => (index + 0.5) * pitch + 3;
  return {
    width: Math.max(left + keys.texts.length * pitch, 56),
    height: top + queries.texts.length * pitch,
    markup: [
      text(0, 12, title, soft),
      moved(left, top, tiles),
      hasTexts && [
        queries.texts.map((each, query) => text(left - 8, top + middle(query), each, softEnd)),
        keys.texts.map((each, key) => {
          const turn = svg`translate(${left + middle(key)} ${top - 8}) rotate(-90)`;
          return text(0, 0, each, svg`${soft} transform="${turn}"`);
        }),
      ],
    ],
  };
}

/**
 * Draws attention scores as a heat map for each head: a row for each query, a column for each key.
 * Darker is more; keys that the mask hides are hatched. The first 96 queries and keys are drawn.
 *
 * `scores` has the shape [queries, keys], [heads, queries, keys] or [batch, heads, queries, keys],
 * as `returnAttentionScores` returns them. Returns SVG as text. Throws ShapeError if the shapes of
 * scores and mask do not fit.
 *
 * @example drawAttention(scores, { mask: x.mask, queries: words, keys: words })
 */
export function drawAttention(scores: Drawable, options: AttentionOptions = {}): string {
  const settings = settingsOf(options, { mask: 1, row: 1, queries: 1, keys: 1 });
  const { mask, row = 0 } = options;
  const values = itemsOf(scores);
  const [keyCount = 0, queryCount = 0, headCount = 1, batch = 1, ...others] = [
    ...values.shape,
  ].reverse();
  if (values.shape.length < 2 || others[0] !== undefined) {
    throw new ShapeError(
      `scores must have the shape [queries, keys], with heads and batch before them, not [${values.shape}]`,
    );
  }
  if (!Number.isInteger(row) || row < 0 || row >= batch)
    refuse('row', `an integer from 0 to ${batch - 1}`, row);
  const keep = keysOf(mask, row, keyCount);
  const queries = axisOf(options.queries, queryCount);
  const keys = axisOf(
    options.keys ?? (queryCount === keyCount ? options.queries : undefined),
    keyCount,
  );
  const max = Math.max(queries.texts.length, keys.texts.length);
  const pitch = max <= 12 && headCount <= 4 ? 32 : max <= 64 && headCount <= 16 ? 16 : 8;
  const lines = rowsOf(values).map((line) => line.map(Number));
  const heads = Array.from({ length: headCount }, (_, head) => {
    const start = (row * headCount + head) * queryCount;
    const title = headCount > 1 ? `head ${head + 1}` : '';
    return drawHead(title, lines.slice(start, start + queryCount), queries, keys, keep, pitch);
  });
  const first = row * headCount * queryCount;
  const strongest = lines.slice(first, first + Math.min(12, queryCount)).map((line, query) => {
    const best = line.indexOf(Math.max(...line));
    return `${queries.texts[query]} to ${keys.texts[best]} (${numberText(line[best] ?? Number.NaN)})`;
  });
  return figure(
    settings,
    Math.max(queryCount, keyCount) > kMax ? `Attention, first ${kMax} steps` : 'Attention',
    `${counted(headCount, 'head')}, ${queryCount} × ${keyCount} queries and keys; the mask hides ${keep.filter((each) => !each).length} keys. Strongest scores${headCount > 1 ? ' of head 1' : ''}: ${strongest.join(', ')}.`,
    arranged(heads, Math.max(1, Math.floor(1200 / ((heads[0]?.width ?? 0) + 24)))),
  );
}
