// SPDX-License-Identifier: MIT
import { h } from '../shared/dom.js';
import { captionOf, headOf, rowHead, scrollable } from '../shared/grid.js';
import { decimal, gap, largestGap } from '../shared/text.js';
import type { Answer } from './task.js';

export interface AnswerRow extends Answer {
  who: string;
  /** The numbers that this row is held against; none for the first. */
  against?: number[];
  chosen?: boolean;
}

/** Answers under each other, each with its largest difference from the one it is held against. */
export function answersTable(caption: string, detail: string, rows: AnswerRow[]): HTMLElement {
  const lines = rows.map(({ who, words, numbers, against, chosen }) => {
    const mark = chosen ? 'chosen' : undefined;
    const figures = numbers.map((value) => decimal(value));
    return h(
      'tr',
      {},
      rowHead(who),
      h('td', { class: mark }, words || '(nothing)'),
      h('td', { class: mark }, figures.join('  ')),
      h('td', {}, against ? gap(largestGap(numbers, against)) : ''),
    );
  });
  const table = h(
    'table',
    { class: 'numbers answers' },
    captionOf({ caption, detail }),
    headOf({ columns: ['answer', 'numbers', 'difference'], corner: 'who' }),
    h('tbody', {}, ...lines),
  );
  return scrollable(table, caption);
}
