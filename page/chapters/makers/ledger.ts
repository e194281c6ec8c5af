// SPDX-License-Identifier: MIT
// The table of what Masking does: for each step its features, how many equal the mask value, the
// mask and the output.
import { h } from '../../shared/dom.js';
import { captionOf, headOf, rowHead, scrollable } from '../../shared/grid.js';
import { integer } from '../../shared/text.js';
import type { Masked } from './read.js';

export interface LedgerOptions {
  maskValue: number;
  /** Called when the visitor presses a feature. */
  press(row: number, step: number, feature: number): void;
}

const short = (value: number): string =>
  integer(Number.isFinite(value) ? Number(value.toPrecision(4)) : value);

export function ledger({ x, output, mask }: Masked, options: LedgerOptions): HTMLElement {
  const { maskValue } = options;
  const table = h(
    'table',
    { class: 'ledger' },
    captionOf({
      caption: 'What Masking does',
      detail: 'to each step; press a number to change it',
    }),
    headOf({
      columns: ['features', `equal ${short(maskValue)}`, 'mask', 'output'],
      corner: 'row, step',
    }),
  );
  x.forEach((steps, b) => {
    const body = table.createTBody();
    steps.forEach((features, t) => {
      const keep = mask[b]?.[t] ?? true;
      const equal = features.filter((value) => value === maskValue).length;
      const link = `m${b}t${t}`;
      body.append(
        h(
          'tr',
          { 'data-link': link },
          rowHead(`${b}, ${t}`),
          h('td', {}, ...features.map((value, f) => feature(value, [b, t, f], options))),
          h('td', {}, `${equal} of ${features.length}`),
          h(
            'td',
            {},
            h('span', { class: keep ? 'key' : 'key masked' }, h('span', {}, keep ? 'T' : 'F')),
          ),
          h('td', {}, (output[b]?.[t] ?? []).map(short).join('  ')),
        ),
      );
    });
  });
  return scrollable(table, 'What Masking does');
}

function feature(
  value: number,
  [row, step, index]: [number, number, number],
  { maskValue, press }: LedgerOptions,
): HTMLElement {
  const same = value === maskValue;
  const button = h(
    'button',
    {
      type: 'button',
      class: same ? 'feature same' : 'feature',
      'data-key': `${row},${step},${index}`,
      'aria-label': `row ${row}, step ${step}, feature ${index}: ${short(value)}${same ? ', equals mask_value' : ''}`,
    },
    short(value),
  );
  button.addEventListener('click', () => press(row, step, index));
  return button;
}
