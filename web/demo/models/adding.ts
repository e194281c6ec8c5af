// SPDX-License-Identifier: MIT
import { below, characterGrid, idsOf, padded } from './characters.js';
import type { Answer, Recorded, Task } from './task.js';

const alphabet = '0123456789+';
const [width, symbols] = [7, 12];

/** Four positions of 12 probabilities; the last digit of the sum comes first. */
function read(output: number[]): Answer {
  const rows = Array.from({ length: output.length / symbols }, (_, place) =>
    output.slice(place * symbols, (place + 1) * symbols),
  );
  const numbers = rows.map((row) => Math.max(...row));
  const digits = rows.map((row, place) => alphabet[row.indexOf(numbers[place] ?? 0) - 1] ?? '');
  return { words: digits.reverse().join(''), numbers };
}

function rowOf(text: string): number[] {
  const question = text.replace(/\s/g, '');
  if (!/^(0|[1-9]\d{0,2})\+(0|[1-9]\d{0,2})$/.test(question)) {
    throw new Error('The model was trained on two numbers from 0 to 999 with a + between: 12+345');
  }
  return padded(idsOf(question, alphabet), width - question.length);
}

/** Adds two numbers written as text. */
export const adding: Task = {
  unit: 'probability of each character, last digit first',
  inWords: true,
  path: ['embedding', 'encoder', 'repeat', 'decoder', 'answer'],
  ask(text) {
    return { row: rowOf(text), bare: null, dtype: 'int32' };
  },
  read,
  draw: (text) => characterGrid(rowOf(text), alphabet),
  records(notes) {
    const { examples } = notes as {
      examples: { text: string; predicted: string; max_probability: number[] }[];
    };
    return examples.map(
      ({ text, predicted, max_probability }): Recorded => ({
        text,
        label: text,
        words: predicted,
        numbers: max_probability,
      }),
    );
  },
  random: () => `${below(1000)}+${below(1000)}`,
  sentence({ words }, settings) {
    const question = settings.text('adding').replace(/\s/g, '');
    const [a = 0, b = 0] = question.split('+').map(Number);
    const verdict = String(a + b) === words ? 'which is right' : `but it is ${a + b}`;
    return `The model says ${question} = ${words || 'nothing'}, ${verdict}.`;
  },
};
