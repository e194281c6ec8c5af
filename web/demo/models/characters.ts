// SPDX-License-Identifier: MIT
import { grid } from '../shared/grid.js';

/** Ids of the characters; an error names the first that has none. */
export function idsOf(text: string, alphabet: string): number[] {
  return [...text].map((character) => {
    const place = alphabet.indexOf(character);
    if (place >= 0) return place + 1;
    throw new Error(`The model does not know “${character}”; it knows ${[...alphabet].join(' ')}`);
  });
}

/** A row of ids under their characters; id 0 is padding. */
export function characterGrid(ids: number[], alphabet: string): HTMLElement {
  const cells = ids.map((id) => ({
    word: alphabet[id - 1] ?? 'pad',
    text: String(id),
    masked: id === 0,
  }));
  const box = grid([cells], {
    caption: 'The input',
    detail: `(1, ${ids.length}) int32`,
    columns: ids.map((_, t) => `step ${t}`),
    rows: ['row 0'],
  });
  box.classList.add('characters');
  return box;
}

/** `zeros` columns of padding behind the ids. */
export const padded = (ids: number[], zeros: number): number[] => [
  ...ids,
  ...Array<number>(zeros).fill(0),
];

export const below = (limit: number): number => Math.floor(Math.random() * limit);
