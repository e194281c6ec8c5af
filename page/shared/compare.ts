// SPDX-License-Identifier: MIT
// The table of the outputs of several programs, for the chapter "flow".
import { h } from './dom.js';
import { captionOf, headOf, rowHead, scrollable } from './grid.js';
import { decimal } from './text.js';

export interface Column {
  title: string;
  values: ArrayLike<number>;
  /** Whether the column belongs to the model that the figure shows. It is then highlighted. */
  chosen?: boolean;
}

/** Returns a table with one line per row of the batch; values that differ from the first get ≠. */
export function compare(caption: string, detail: string, columns: Column[]): HTMLElement {
  const table = h(
    'table',
    { class: 'numbers' },
    captionOf({ caption, detail }),
    headOf({ columns: columns.map(({ title }) => title), corner: 'row' }),
  );
  columns.forEach(({ chosen }, index) => {
    if (chosen) table.tHead?.rows[0]?.cells[index + 1]?.classList.add('chosen');
  });
  const body = table.createTBody();
  const first = columns[0]?.values ?? [];
  Array.from(first).forEach((reference, b) => {
    const cells = columns.map(({ values, chosen }) => {
      const value = values[b] ?? Number.NaN;
      return h(
        'td',
        { class: chosen ? 'chosen' : undefined },
        decimal(value),
        h('span', { class: 'differs' }, value === reference ? '' : ' ≠'),
      );
    });
    body.append(h('tr', {}, rowHead(String(b)), ...cells));
  });
  return scrollable(table, caption);
}
