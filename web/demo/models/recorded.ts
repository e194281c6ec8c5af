// SPDX-License-Identifier: MIT
import { h } from '../shared/dom.js';
import { captionOf, headOf, rowHead, scrollable } from '../shared/grid.js';
import { count, gap } from '../shared/text.js';
import { brief } from './answers.js';
import type { Replayed } from './run.js';

/** Every recorded input with Python's answer and ours. */
export function recordedTable(replayed: Replayed[]): HTMLElement {
  const largest = Math.max(...replayed.map(({ difference }) => difference));
  const same = replayed.filter(({ recorded, here }) => recorded.words === here.words).length;
  const rows = replayed.map(({ recorded, here, difference }) =>
    h(
      'tr',
      {},
      rowHead(recorded.label),
      h('td', {}, recorded.words),
      h('td', {}, here.words),
      h('td', {}, brief(difference)),
    ),
  );
  const caption = `${same} of ${count(replayed.length, 'answer')} the same, numbers to ${gap(largest)}`;
  const table = h(
    'table',
    { class: 'numbers answers recorded' },
    captionOf({ caption, detail: 'Python’s numbers are rounded to six digits' }),
    headOf({ columns: ['Python', 'here', 'difference'], corner: 'input' }),
    h('tbody', {}, ...rows),
  );
  return scrollable(table, 'Recorded answers');
}
