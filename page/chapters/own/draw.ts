// SPDX-License-Identifier: MIT
// The figures of the chapter "own".
import type { PaddingCheck, TraceEntry } from 'maskflow';
import { h } from '../../shared/dom.js';
import { captionOf, headOf, rowHead, scrollable } from '../../shared/grid.js';
import { roles } from '../../shared/roles.js';
import { count, integer, small, upTo } from '../../shared/text.js';
import type { Answer, Results, ProfileLine } from './read.js';
import type { Loss } from './verdict.js';

/** Returns preformatted text. */
export function printed(text: string, label: string): HTMLElement {
  return h('pre', { tabindex: 0, 'aria-label': label }, h('code', {}, text));
}

/** Draws how to keep a lost mask: in Python first, where the model was written. */
export const repair = ({ python, javaScript }: Loss): HTMLElement =>
  h(
    'div',
    { class: 'repair' },
    ...(python === undefined
      ? []
      : [h('p', { class: 'label' }, 'Keep it, in Python'), printed(python, 'Repair in Python')]),
    h('p', { class: 'label' }, 'Keep it, in JavaScript'),
    h('p', { class: 'caption' }, javaScript),
  );

/** Draws what `checkPadding` says of the model; a repair that is on view is not repeated. */
export function checkedPadding(padding: PaddingCheck | string, isRepaired: boolean): HTMLElement {
  const isKnown = typeof padding !== 'string';
  const isSame = isKnown && padding.same;
  const sentence = !isKnown
    ? padding
    : padding.same
      ? 'padding does not change the answer.'
      : `padding changes the answer by ${upTo(padding.difference)}${padding.layer === null ? '' : `, first at ${padding.layer}`}.`;
  return h(
    'div',
    { class: isSame ? 'checked' : 'checked warned' },
    h('p', {}, h('strong', {}, h('code', {}, 'checkPadding'), ': '), sentence),
    isKnown && padding.remedy && !isRepaired ? h('p', { class: 'caption' }, padding.remedy) : null,
  );
}

export const numbers = ({ first }: Answer, size: number): string => {
  const shown = first.map((value) => (Number.isInteger(value) ? integer(value) : small(value)));
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
        entry.layer === entry.className ? '' : h('span', { class: 'class' }, ` ${entry.className}`),
      ),
      maskLine(entry) ?? h('p', { class: 'class' }, 'no mask'),
      h(
        'div',
        { class: 'meaning' },
        h('span', { class: 'role' }, roles[entry.role]),
        entry.role === 'none' ? null : h('p', { class: 'caption' }, entry.reason),
        entry.remedy
          ? h('p', { class: 'caption' }, h('strong', {}, 'Remedy: '), entry.remedy)
          : null,
      ),
    ),
  );
  return h(
    'div',
    {},
    h('p', { class: 'label' }, `The mask through ${count(entries.length, 'call')}`),
    h('ol', { class: 'tree' }, ...items),
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
  return h('p', { class: 'mask' }, h('span', { class: 'unseen' }, 'mask out '), ...tiles, more);
}

export function profileTable(
  { rows, milliseconds }: Results['profile'],
  pads: number,
): HTMLElement {
  const times = ownTimes(rows);
  const between = milliseconds - times.reduce((sum, time) => sum + time, 0);
  const shares = percentages([...times, Math.max(0, between)]);
  const line = (head: HTMLElement, time: number, share: number, kept: string) =>
    h('tr', {}, head, h('td', {}, time.toFixed(3)), h('td', {}, `${share} %`), h('td', {}, kept));
  const lines = rows.map(({ name, depth, kept }, index) => {
    const head = rowHead(name);
    head.style.paddingInlineStart = `${0.5 + Math.min(depth, 6)}em`;
    return line(head, times[index] ?? 0, shares[index] ?? 0, `${Math.round(100 * kept)} %`);
  });
  const rest = line(rowHead('between the layers'), Math.max(0, between), shares.at(-1) ?? 0, '');
  const places = pads === 0 ? '' : ` with ${count(pads, 'empty place')}`;
  const table = h(
    'table',
    { class: 'numbers' },
    captionOf({
      caption: `One call takes ${milliseconds.toFixed(2)} ms here${places}.`,
      detail: 'Times without those of layers inside; kept steps of its mask.',
    }),
    headOf({ columns: ['ms', 'share', 'kept'], corner: 'layer' }),
    h('tbody', {}, ...lines, rest),
  );
  return scrollable(table, 'Time of each layer');
}

/** Returns the time of each layer without that of the layers that it calls. */
function ownTimes(rows: readonly ProfileLine[]): number[] {
  return rows.map(({ depth, milliseconds }, index) => {
    const after = rows.slice(index + 1);
    const end = after.findIndex((row) => row.depth <= depth);
    const inside = after.slice(0, end < 0 ? after.length : end);
    const direct = inside.filter((row) => row.depth === depth + 1);
    const called = direct.reduce((sum, row) => sum + row.milliseconds, 0);
    return Math.max(0, milliseconds - called);
  });
}

/** Returns integers that add up to 100, each as near to its share as possible. */
export function percentages(amounts: readonly number[]): number[] {
  const sum = amounts.reduce((total, amount) => total + amount, 0);
  if (!(sum > 0)) return amounts.map((_, index) => (index === amounts.length - 1 ? 100 : 0));
  const exact = amounts.map((amount) => (100 * amount) / sum);
  const whole = exact.map(Math.floor);
  const missing = 100 - whole.reduce((total, each) => total + each, 0);
  const order = exact
    .map((each, index) => [each % 1, index] as const)
    .sort(([a], [b]) => b - a)
    .slice(0, missing)
    .map(([, index]) => index);
  return whole.map((each, index) => (order.includes(index) ? each + 1 : each));
}
