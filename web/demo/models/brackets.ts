// SPDX-License-Identifier: MIT
import { decimal } from '../shared/text.js';
import { below, characterGrid, idsOf, padded } from './characters.js';
import type { Answer, Recorded, Task } from './task.js';

const alphabet = '()[]{}';
const pairs = ['()', '[]', '{}'];

const read = ([probability = Number.NaN]: number[]): Answer => ({
  words: probability > 0.5 ? 'balanced' : 'not balanced',
  numbers: [probability],
});

function rowOf(text: string, more: number): number[] {
  const ids = idsOf(text.replace(/\s/g, ''), alphabet);
  if (ids.length === 0) throw new Error('There is no bracket yet. Type one of ( ) [ ] { }');
  return padded(ids, more);
}

/** Is a string of brackets balanced? */
export const brackets: Task = {
  unit: 'probability of “balanced”',
  inWords: true,
  path: ['embedding', 'bidirectional', 'balanced'],
  ask(text, more) {
    return { row: rowOf(text, more), bare: rowOf(text, 0), dtype: 'int32' };
  },
  read,
  draw: (text, more) => characterGrid(rowOf(text, more), alphabet),
  records(notes) {
    const { examples } = notes as { examples: { text: string; output: number }[] };
    return examples.map(({ text, output }): Recorded => ({ text, label: text, ...read([output]) }));
  },
  random() {
    const text = nested(2 + below(12));
    if (below(2)) return text;
    const place = below(text.length);
    return text.slice(0, place) + alphabet[below(alphabet.length)] + text.slice(place + 1);
  },
  sentence: ({ words, numbers: [probability = 0] }) =>
    `The model says ${words}: ${decimal(probability)} for “balanced”.`,
};

/** So many balanced pairs. */
function nested(count: number): string {
  if (count <= 0) return '';
  const inside = below(Math.min(count, 3));
  const pair = pairs[below(pairs.length)] ?? '()';
  return `${pair[0]}${nested(inside)}${pair[1]}${nested(count - 1 - inside)}`;
}
