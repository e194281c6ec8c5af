// SPDX-License-Identifier: MIT
import { h } from '../shared/dom.js';
import { captionOf, headOf, rowHead, scrollable } from '../shared/grid.js';
import { decimal, gap, largestGap } from '../shared/text.js';
import type { Answer, Task } from './task.js';

export interface AnswerRow extends Answer {
  who: string;
  /** The numbers that this row is held against; none for the first. */
  against?: number[];
  chosen?: boolean;
}

/** Nothing is ever rounded to this 0. */
export const brief = (difference: number): string => (difference === 0 ? '0' : gap(difference));

/** Answers under each other, each with its largest difference from the one it is held against. */
export function answersTable(
  caption: string,
  { unit, inWords }: Pick<Task, 'unit' | 'inWords'>,
  rows: AnswerRow[],
): HTMLElement {
  const lines = rows.map(({ who, words, numbers, against, chosen }) => {
    const mark = chosen ? 'chosen' : undefined;
    const figures = numbers.map((value) => decimal(value));
    return h(
      'tr',
      {},
      rowHead(who),
      inWords && h('td', { class: mark }, words || '(nothing)'),
      h('td', { class: mark }, figures.join('  ')),
      h('td', {}, against ? brief(largestGap(numbers, against)) : ''),
    );
  });
  const columns = [
    ...(inWords ? ['answer'] : []),
    (rows[0]?.numbers.length ?? 0) > 1 ? 'numbers' : 'number',
    'difference',
  ];
  const table = h(
    'table',
    { class: 'numbers answers' },
    captionOf({ caption, detail: unit }),
    headOf({ columns, corner: 'from' }),
    h('tbody', {}, ...lines),
  );
  return scrollable(table, caption);
}
