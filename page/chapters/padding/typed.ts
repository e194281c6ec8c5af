// SPDX-License-Identifier: MIT
// Draws the sentences as typed, and strikes out the words that padding cut off.
import type { Batch } from '../../shared/batch.js';
import { h } from '../../shared/dom.js';
import { count } from '../../shared/text.js';

export function typedRows({ words, sequences }: Batch, wordPlaces: number[][]): HTMLElement[] {
  const known = wordPlaces.some((row) => row.some((place) => place >= 0));
  const rows = words.map((row, b) => {
    const kept = new Set(wordPlaces[b]);
    const tokens = row.map((word, w) => {
      const cut = known && !kept.has(w);
      return h(
        'span',
        { class: cut ? 'cell cut' : 'cell kept', 'data-link': `r${b}w${w}` },
        h('bdi', {}, word),
        h('small', {}, ` ${sequences[b]?.[w]}`),
        cut && h('span', { class: 'unseen' }, ' (cut off)'),
      );
    });
    const length = h('span', { class: 'hint' }, count(row.length, 'word'));
    return h('li', { class: 'tokens' }, ...tokens, length);
  });
  return [
    h('p', { class: 'label' }, 'The sentences, with an id for each word'),
    h('ol', { class: 'plain' }, ...rows),
  ];
}
