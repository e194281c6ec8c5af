// SPDX-License-Identifier: MIT
import { ops, padSequences } from 'maskflow';
import { type Batch, setBatch, wordAt } from '../shared/batch.js';
import type { Example } from '../shared/code.js';
import { rich } from '../shared/dom.js';
import { grid, maskGrid } from '../shared/grid.js';
import type { Panel } from '../shared/panel.js';
import { keras, program, unseeded } from '../shared/program.js';
import type { Settings } from '../shared/settings.js';
import { count, literal, options, pyLiteral } from '../shared/text.js';
import { idOf, tokenize } from '../shared/vocabulary.js';

const most = { rows: 6, words: 16 };

export const padding: Panel = {
  id: 'padding',
  makesBatch: true,
  draw({ settings, put, says }) {
    const words = wordsOf(settings.text('text'));
    const sequences = words.map((row) => row.map(idOf));
    const asked = optionsOf(settings);
    const ids = padSequences(sequences, asked);
    // Padding the positions instead of the ids tells where each cell came from.
    const places = sequences.map((row) => row.map((_, index) => index));
    const origin = padSequences(places, { ...asked, value: -1 }).array() as number[][];
    const mask = ops.notEqual(ids, 0);
    const batch: Batch = {
      words,
      sequences,
      ids: ids.array() as number[][],
      origin,
      options: asked,
    };

    put('batch', batchGrid(batch));
    put('mask', maskGrid(mask.array() as boolean[][], 'mask: ids ≠ 0', { heads: true }));
    put('note', ...(rich(note(batch)) as (Node | string)[]));
    says(summary(batch));
    setBatch(batch);
    return example(batch, [String(ids), String(mask)].join('\n'));
  },
};

function wordsOf(text: string): string[][] {
  const rows = text
    .split('\n')
    .map(tokenize)
    .filter((row) => row.length > 0);
  if (rows.length === 0) throw new Error('There is no word yet. Type a sentence.');
  if (rows.length > most.rows || rows.some((row) => row.length > most.words)) {
    throw new Error(`This page draws up to ${most.rows} rows of ${most.words} words.`);
  }
  return rows;
}

function optionsOf(settings: Settings): Batch['options'] {
  const maxlen = settings.number('maxlen');
  const value = settings.number('value');
  return {
    padding: settings.text('padding') as 'pre' | 'post',
    truncating: settings.text('truncating') as 'pre' | 'post',
    ...(maxlen === undefined ? {} : { maxlen }),
    ...(value === undefined ? {} : { value }),
  };
}

function batchGrid(batch: Batch): HTMLElement {
  const cells = batch.ids.map((row, b) =>
    row.map((id, t) => {
      const word = wordAt(batch, b, t);
      return { word: word || 'padding', text: String(id), masked: !word };
    }),
  );
  const [steps, rows] = [batch.ids[0]?.length ?? 0, batch.ids.length];
  return grid(cells, {
    caption: 'ids',
    detail: `(${rows}, ${steps}) int32`,
    columns: Array.from({ length: steps }, (_, t) => `step ${t}`),
    rows: cells.map((_, b) => `row ${b}`),
  });
}

function summary(batch: Batch): string {
  const cells = batch.ids.length * (batch.ids[0]?.length ?? 0);
  const empty = batch.origin.flat().filter((place) => place < 0).length;
  const cut = batch.words.flatMap((row, b) => {
    const lost = row.filter((_, index) => !batch.origin[b]?.includes(index));
    return lost.length > 0 ? [`row ${b} lost “${lost.join(' ')}”`] : [];
  });
  const share = cells > 0 ? Math.round((100 * empty) / cells) : 0;
  const filled = `${empty} of ${count(cells, 'cell')} ${empty === 1 ? 'is' : 'are'} padding (${share} %).`;
  return cut.length > 0 ? `${filled} Cut away: ${cut.join('; ')}.` : filled;
}

function note({ options: { padding, value = 0 } }: Batch): string {
  if (value !== 0) {
    return `The padding is ${value}, not 0: an Embedding with \`mask_zero\` takes it for a word, and the mask is true everywhere.`;
  }
  return padding === 'post'
    ? 'Keras pads in front unless told otherwise; its guide asks for `padding="post"`, as here.'
    : 'This is the default of Keras. Once there is a mask, an RNN gives the same last output either way.';
}

function example({ sequences, options: asked }: Batch, prints: string): Example {
  const given = {
    maxlen: asked.maxlen,
    padding: asked.padding === 'pre' ? undefined : asked.padding,
    truncating: asked.truncating === 'pre' ? undefined : asked.truncating,
    value: asked.value || undefined,
  };
  const js = options(given);
  const py = Object.entries(given)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `, ${name}=${typeof value === 'string' ? `"${value}"` : value}`);
  return {
    js: program(
      `const sequences = ${literal(sequences)};
const ids = padSequences(sequences${js ? `, ${js}` : ''});
const mask = ops.notEqual(ids, 0);

console.log(String(ids));
console.log(String(mask));`,
      unseeded,
    ),
    keras: keras(
      `sequences = ${pyLiteral(sequences)}
ids = keras.utils.pad_sequences(sequences${py.join('')})
mask = ids != 0

print(ids)
print(mask)`,
      unseeded,
    ),
    prints,
  };
}
