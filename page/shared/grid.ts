// SPDX-License-Identifier: MIT
// Tables of batches, the figure that most chapters share.
import { type Child, h } from './dom.js';

export interface Cell {
  /** Small text above the number. */
  word?: string;
  /** The number, also for screen readers. */
  text: string;
  masked?: boolean;
  /** An empty cell, where another row is longer. */
  blank?: boolean;
  /** The links that light up with this cell, see linked.ts. */
  link?: string;
  /** How the number is computed, see arithmetic.ts. */
  arithmetic?: string | undefined;
}

export interface GridOptions {
  caption: string;
  /** Small text after the caption. */
  detail?: string;
  columns: string[];
  rows: string[];
  corner?: string;
}

/**
 * Returns a batch as a table. Masked cells differ by hatching and a dashed edge, not only by
 * colour.
 */
export function grid(cells: Cell[][], options: GridOptions): HTMLElement {
  const table = h(
    'table',
    { class: 'grid' },
    captionOf(options),
    h('colgroup', {}, h('col')),
    headOf(options),
  );
  const body = table.createTBody();
  cells.forEach((row, index) => {
    body.append(h('tr', {}, rowHead(options.rows[index] ?? ''), ...row.map(cellOf)));
  });
  return scrollable(table, options.caption);
}

function cellOf(cell: Cell): HTMLElement {
  if (cell.blank) return h('td', { class: 'blank' });
  return h(
    'td',
    {
      class: cell.masked ? 'masked' : 'kept',
      'data-link': cell.link,
      'data-arithmetic': cell.arithmetic,
    },
    cell.word !== undefined && wordInCell(cell.word),
    h('span', { class: 'id' }, cell.text),
  );
}

export type BooleanMask = boolean[][] | null;

/** Returns a mask [batch, time] as small T and F tiles, or the words "no mask" for null. */
export function maskGrid(
  mask: BooleanMask,
  caption: string,
  options: { heads?: boolean; links?: string[][] } = {},
): HTMLElement {
  if (!mask)
    return h('p', { class: 'nomask' }, h('span', { class: 'unseen' }, `${caption}: `), 'no mask');
  const hidden = options.heads ? undefined : 'unseen';
  const table = h(
    'table',
    { class: 'mini' },
    h('caption', { class: hidden }, caption),
    h('colgroup', {}, h('col')),
  );
  if (options.heads) {
    table.append(headOf({ columns: (mask[0] ?? []).map((_, t) => String(t)), corner: '' }));
  }
  const body = table.createTBody();
  mask.forEach((row, b) => {
    const head = h('th', { scope: 'row' }, h('span', { class: 'unseen' }, 'row '), String(b));
    const tiles = row.map((keep, t) =>
      h(
        'td',
        { class: keep ? 'kept' : 'masked', 'data-link': options.links?.[b]?.[t] },
        keep ? 'T' : 'F',
      ),
    );
    body.append(h('tr', {}, head, ...tiles));
  });
  return scrollable(table, caption);
}

export function captionOf({ caption, detail }: { caption: string; detail?: string }): HTMLElement {
  return h('caption', {}, caption, detail ? h('small', {}, ` ${detail}`) : null);
}

export function headOf({
  columns,
  corner = '',
}: {
  columns: string[];
  corner?: string;
}): HTMLElement {
  const cells = columns.map((column) => h('th', { scope: 'col' }, ...numbered(column)));
  return h(
    'thead',
    {},
    h('tr', {}, corner ? h('th', { scope: 'col' }, corner) : h('td'), ...cells),
  );
}

export const rowHead = (text: string): HTMLElement => h('th', { scope: 'row' }, ...numbered(text));

/** Returns the word above a number. Of "padding", a phone shows only the beginning. */
export function wordInCell(text: string): HTMLElement {
  const parts = text === 'padding' ? ['pad', h('span', { class: 'wide' }, 'ding')] : [text || ' '];
  return h('span', { class: 'word', dir: 'auto' }, ...parts);
}

/** Splits a heading such as "step 3", so that a phone shows only the number. */
function numbered(text: string): Child[] {
  const [, word, rest] = /^(step|row) (\d+)$/.exec(text) ?? [];
  return word ? [h('span', { class: 'wide' }, `${word} `), rest] : [text];
}

/**
 * Lets wide content scroll inside its own box, which then accepts the focus for scrolling by keys.
 */
export function scrollable(content: HTMLElement, label: string): HTMLElement {
  const box = h('div', { class: 'scroll' }, content);
  watch ??= new ResizeObserver(markScrolling);
  watch.observe(box);
  box.dataset['label'] = label;
  return box;
}

let watch: ResizeObserver | undefined;

function markScrolling(entries: ResizeObserverEntry[]): void {
  for (const { target } of entries) {
    if (!(target instanceof HTMLElement)) continue;
    if (target.scrollWidth > target.clientWidth + 1) {
      target.tabIndex = 0;
      // Uses the role of a group, because a page of landmarks would have too many.
      target.setAttribute('role', 'group');
      target.setAttribute('aria-label', `${target.dataset['label']}, scrolls sideways`);
    } else {
      for (const name of ['tabindex', 'role', 'aria-label']) target.removeAttribute(name);
    }
  }
}
