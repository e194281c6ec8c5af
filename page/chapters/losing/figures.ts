// SPDX-License-Identifier: MIT
// The figures of the chapter "losing", one for each case.
import { drawAttention } from 'maskflow/draw';
import { figured, meanOf, offerNumbers } from '../../shared/arithmetic.js';
import type { Batch } from '../../shared/batch.js';
import { h } from '../../shared/dom.js';
import { type Cell, grid, rowHead, scrollable, wordInCell } from '../../shared/grid.js';
import { decimal, gap } from '../../shared/text.js';
import type { Attention, Care, Decoder, LosingData, Loss, Packed, Side } from './read.js';
import { keptLosses, lossOfStep, positionOf, shareOfKey, sumOfChange } from './sums.js';
import { emptiest, wordOf, wordsOf } from './words.js';

export function figureOf(data: LosingData, batch: Batch): HTMLElement[] {
  if (data.case === 'attention') return attentionMaps(data, batch);
  if (data.case === 'loss') return lossSteps(data, batch);
  if (data.case === 'decoder') return decoderSides(data, batch);
  if (data.case === 'packed') return [packedRows(data, batch)];
  return [careTable(data)];
}

function attentionMaps(data: Attention, batch: Batch): HTMLElement[] {
  const { mask, masked, bare } = data;
  const row = emptiest(mask);
  const keep = mask[row] ?? [];
  const words = wordsOf(batch, row, keep);
  const queries = keep.flatMap((each, t) => (each ? [t] : []));
  const map = (scores: number[][][], hides: boolean, caption: string) => {
    const svg = drawAttention(
      queries.map((query) => scores[row]?.[query] ?? []),
      {
        title: '',
        ...(hides && { mask: [keep] }),
        queries: queries.map((query) => words[query] ?? ''),
        keys: words,
      },
    );
    const picture = h('div', { class: 'map' });
    picture.innerHTML = svg;
    if (hides) explainShares(picture, data, row, queries);
    return h('figure', {}, h('figcaption', {}, caption), picture);
  };
  return [map(masked, true, 'With the key mask'), map(bare, false, 'Without it')];
}

/** Gives the numbers of a heat map their arithmetic, if it shows each of them. */
function explainShares(
  picture: HTMLElement,
  data: Attention,
  row: number,
  queries: readonly number[],
): void {
  const { mask, masked } = data;
  const sums = queries.flatMap((query) =>
    (masked[row]?.[query] ?? []).flatMap((share, key) =>
      share && mask[row]?.[key] ? [shareOfKey(data, row, query, key)] : [],
    ),
  );
  const numbers = [...picture.querySelectorAll('text')].filter((text) =>
    /^(?:\.\d\d|1\.00)$/.test(text.textContent),
  );
  if (numbers.length !== sums.length) return;
  for (const [index, number] of numbers.entries()) {
    const sum = sums[index];
    if (sum) number.setAttribute('data-arithmetic', sum);
  }
  // The parts of a picture cannot have the focus, those of a group can.
  picture.querySelector('svg')?.setAttribute('role', 'group');
  offerNumbers(picture);
}

/** The loss of each step as the filled part of its cell; padding is hatched. */
function lossSteps(data: Loss, batch: Batch): HTMLElement[] {
  const { mask, each, masked, bare } = data;
  const max = Math.max(...each.flat().filter(Number.isFinite), 0.01);
  const rows = each.map((row, b) => {
    const words = wordsOf(batch, b, mask[b] ?? []);
    const cells = row.map((value, t) =>
      h(
        'td',
        {
          class: mask[b]?.[t] ? 'kept' : 'masked',
          'data-arithmetic': lossOfStep(data, b, t),
          style: `--fill: ${Math.max(0, Math.min(1, value / max))}`,
        },
        wordInCell(words[t] ?? ''),
        h('span', { class: 'id' }, decimal(value, 2)),
      ),
    );
    return h('tr', {}, rowHead(`row ${b}`), ...cells);
  });
  const table = h(
    'table',
    { class: 'grid filled' },
    h('caption', {}, 'Loss of each step'),
    h('colgroup', {}, h('col')),
    h('tbody', {}, ...rows),
  );
  offerNumbers(table);
  return [
    scrollable(table, 'Loss of each step'),
    h(
      'dl',
      { class: 'big answers' },
      h('dt', {}, h('span', { class: 'swatch kept' }), 'mean over the words'),
      h(
        'dd',
        { class: 'kept' },
        h('strong', {}, figured([decimal(masked), meanOf(keptLosses(data))])),
      ),
      h('dt', {}, h('span', { class: 'swatch alarm' }), 'over every step'),
      h('dd', { class: 'alarm' }, h('strong', {}, figured([decimal(bare), meanOf(each.flat())]))),
    ),
  ];
}

function decoderSides({ sides }: Decoder, batch: Batch): HTMLElement[] {
  return sides.map((side) => {
    const steps = side.ids[0]?.length ?? 0;
    const table = grid(
      side.ids.map((row, b) => row.map((_, t) => decoderCell(side, batch, b, t))),
      {
        caption: `padding: '${side.padding}'`,
        detail: 'each word with its position',
        columns: Array.from({ length: steps }, (_, t) => (t === steps - 1 ? 'last' : String(t))),
        rows: side.ids.map((_, b) => `row ${b}`),
      },
    );
    offerNumbers(table);
    return h('div', { class: 'side' }, table);
  });
}

function decoderCell(side: Side, batch: Batch, b: number, t: number): Cell {
  const { mask, positions } = side;
  const keep = mask[b]?.[t] ?? true;
  const position = positions[b]?.[t] ?? 0;
  return {
    word: keep ? wordOf(batch, b, position) : 'padding',
    text: keep ? String(position) : '–',
    masked: !keep,
    arithmetic: positionOf(side, b, t),
  };
}

/** The rows from the longest to the shortest, with blanks in place of padding. */
function packedRows({ ids, mask, order, batchSizes }: Packed, batch: Batch): HTMLElement {
  const steps = batchSizes.length;
  const cells = order.map((row) =>
    Array.from({ length: steps }, (_, t): Cell => {
      const keep = mask[row]?.[t] ?? false;
      return keep
        ? { word: wordOf(batch, row, t), text: String(ids[row]?.[t] ?? '') }
        : { text: '', blank: true };
    }),
  );
  const sums = batchSizes.map((size): Cell => ({ text: String(size) }));
  const table = grid([...cells, sums], {
    caption: 'The packed rows',
    detail: 'no padding is left',
    columns: batchSizes.map((_, t) => `step ${t}`),
    rows: [...order.map((row) => `row ${row}`), 'batch_sizes'],
  });
  table.querySelector('tbody tr:last-child')?.classList.add('sums');
  return table;
}

/** The layers from the smallest to the largest change, each with a bar. */
function careTable({ changes }: Care): HTMLElement {
  const sorted = [...changes].sort(([, a], [, b]) => a - b);
  const max = Math.max(...changes.map(([, change]) => change)) || 1;
  const rows = sorted.map((each) => {
    const [name, change] = each;
    return h(
      'tr',
      { class: change === 0 ? 'safe' : '' },
      h('th', { scope: 'row' }, name),
      h('td', { 'data-arithmetic': sumOfChange(each) }, gap(change)),
      h(
        'td',
        {},
        change === 0
          ? 'needs no mask'
          : h(
              'span',
              { class: 'length', style: `--share: ${change / max}` },
              h('span', { class: 'unseen' }, 'needs a mask'),
            ),
      ),
    );
  });
  const table = h(
    'table',
    { class: 'numbers care' },
    h('caption', {}, 'Largest change at the words by three columns of padding, without a mask'),
    h('tbody', {}, ...rows),
  );
  offerNumbers(table);
  return scrollable(table, 'Largest changes');
}
