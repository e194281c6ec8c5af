// SPDX-License-Identifier: MIT
import type { TraceEntry } from 'maskflow';
import { h } from '../../shared/dom.js';
import { captionOf, headOf, rowHead, scrollable } from '../../shared/grid.js';
import { roles } from '../../shared/roles.js';
import { count } from '../../shared/text.js';
import type { Answer, Results, ProfileLine } from './read.js';

/** Returns preformatted text. */
export function printed(text: string, label: string): HTMLElement {
  return h('pre', { tabindex: 0, 'aria-label': label }, h('code', {}, text));
}

export const numbers = ({ first }: Answer, size: number): string => {
  const shown = first.map((value) =>
    Number.isInteger(value) || Math.abs(value) < 0.001
      ? String(Number(value.toPrecision(2)))
      : value.toFixed(4),
  );
  return size > first.length ? `${shown.join('  ')}  … (${size} numbers)` : shown.join('  ');
};

/** Draws what each layer did with the mask; layers inside layers are indented. */
export function traceTree(trace: readonly TraceEntry[]): HTMLElement {
  const entries = trace.filter(({ className }) => className !== 'InputLayer');
  const items = entries.map((entry) =>
    h(
      'li',
      { class: entry.remedy ? 'lost' : '', style: `--depth: ${Math.min(entry.depth, 6)}` },
      h(
        'p',
        {},
        h('strong', {}, entry.layer),
        entry.layer === entry.className ? '' : ` ${entry.className}`,
        ' ',
        h('span', { class: 'role' }, roles[entry.role]),
      ),
      entry.role === 'none' ? null : h('p', { class: 'caption' }, entry.reason),
      maskLine(entry),
      entry.remedy ? h('p', { class: 'caption' }, h('strong', {}, 'Remedy: '), entry.remedy) : null,
    ),
  );
  return h(
    'details',
    { class: 'code', open: entries.length <= 8 },
    h(
      'summary',
      {},
      `Where its mask goes: ${count(entries.length, 'call')}, layers inside layers indented`,
    ),
    h('ol', { class: 'tree body' }, ...items),
  );
}

/** Returns the first row of the output mask as tiles. */
function maskLine({ maskOut }: TraceEntry): HTMLElement | null {
  let row: unknown = maskOut;
  while (Array.isArray(row) && Array.isArray(row[0])) row = row[0];
  if (!Array.isArray(row) || typeof row[0] !== 'boolean') return null;
  const letters = (row as boolean[]).slice(0, 40).map((keep) => (keep ? 'T' : 'F'));
  const tiles = letters.map((letter) =>
    h('span', { class: letter === 'T' ? 'tile kept' : 'tile masked' }, letter),
  );
  const more = row.length > 40 ? ` and ${row.length - 40} more` : '';
  return h('p', { class: 'mask' }, h('span', { class: 'caption' }, 'mask out '), ...tiles, more);
}

export function profileTable(
  { rows, milliseconds }: Results['profile'],
  pads: number,
): HTMLElement {
  const line = ({ name, depth, milliseconds: time, share, kept }: ProfileLine) => {
    const head = rowHead(name);
    head.style.paddingInlineStart = `${0.5 + Math.min(depth, 6)}em`;
    return h(
      'tr',
      {},
      head,
      h('td', {}, time.toFixed(3)),
      h('td', {}, `${Math.round(100 * share)} %`),
      h('td', {}, `${Math.round(100 * kept)} %`),
    );
  };
  const places = pads === 0 ? '' : ` with ${count(pads, 'empty place')}`;
  const table = h(
    'table',
    { class: 'numbers' },
    captionOf({
      caption: `One call takes ${milliseconds.toFixed(2)} ms here${places}.`,
      detail: 'Kept is the share of steps that the mask keeps.',
    }),
    headOf({ columns: ['ms', 'share', 'kept'], corner: 'layer' }),
    h('tbody', {}, ...rows.map(line)),
  );
  return scrollable(table, 'Time of each layer');
}
