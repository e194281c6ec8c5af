// SPDX-License-Identifier: MIT
// The chapter "padding": it pads the batch that the other chapters share, and chooses its options.
import {
  type Batch,
  fitsInt32,
  padLine,
  padLinePython,
  padOptions,
  places,
  stepsOf,
} from '../../shared/batch.js';
import { Advice, type Chapter, type Scene } from '../../shared/chapter.js';
import { rich } from '../../shared/dom.js';
import { grid } from '../../shared/grid.js';
import { linksOf } from '../../shared/linked.js';
import { program } from '../../shared/program.js';
import { integer, literal, options, pyLiteral } from '../../shared/text.js';
import { walkCells } from '../../shared/walk_cells.js';
import { followEdge, showEdge } from './edge.js';
import { drawLines } from './lines.js';
import type { PaddingData } from './read.js';
import { summary, sumsOf } from './sentences.js';
import { typedRows } from './typed.js';

export const padding: Chapter<PaddingData> = {
  id: 'padding',

  program(scene) {
    const { sequences, options: given } = batchFor(scene);
    const fits = given.value === undefined || fitsInt32(given.value);
    const attempt = fits
      ? ''
      : `let refused; // the error of int32, the default, for this value
try { padSequences(sequences, { value: ${given.value} }); } catch (error) { refused = error.message; }
`;
    return program(
      `const sequences = ${literal(sequences)};
${attempt}const how = ${options(padOptions(scene.batch)) || '{}'};
const ids = padSequences(sequences, how);
const mask = ops.notEqual(ids, 0); // as an Embedding with maskZero makes it
console.log(String(ids));
console.log(String(mask));`,
      {},
    );
  },

  keras(scene) {
    const { sequences } = batchFor(scene);
    return `import keras

sequences = ${pyLiteral(sequences)}
ids = ${padLinePython(scene.batch, 'sequences')}
mask = ids != 0

print(ids)
print(mask)
`;
  },
  kerasNote: 'Nothing is random here: Keras prints the same numbers.',

  draw(data, scene) {
    const { ids, mask } = data;
    const { batch } = scene;
    const wordPlaces = placesIn(data, batch);
    const links = linksOf(wordPlaces);
    const words = wordPlaces.map((row, b) => row.map((place) => batch.words[b]?.[place] ?? ''));
    const cells = ids.map((row, b) =>
      row.map((id, t) => ({
        word: words[b]?.[t] || 'padding',
        text: integer(id),
        masked: mask[b]?.[t] === false,
        link: links[b]?.[t] ?? '',
      })),
    );
    const [rows, steps] = [ids.length, ids[0]?.length ?? 0];
    scene.put('typed', ...typedRows(batch, wordPlaces));
    scene.put(
      'batch',
      grid(cells, {
        caption: 'The batch',
        detail: `(${rows}, ${steps}) ${data.dtype}`,
        columns: Array.from({ length: steps }, (_, t) => `step ${t}`),
        rows: cells.map((_, b) => `row ${b}`),
      }),
    );
    showEdge(scene, steps);
    drawLines(scene, [
      { language: 'js', name: 'JavaScript', text: padLine(batch) },
      { language: 'python', name: 'Python', text: padLinePython(batch) },
    ]);
    const notes = [batch.note, batch.words.length > 0 ? batch.trouble : ''].filter(Boolean);
    scene.put('note', ...(rich(notes.join(' ')) as (Node | string)[]));
    scene.slot('note').hidden = notes.length === 0;
  },

  summarize: (data, { batch }) => summary(data, batch, placesIn(data, batch)),
  sums: (data, { batch }) => sumsOf(placesIn(data, batch)),

  start(scene) {
    followEdge(scene);
    walkCells(scene.slot('batch'));
  },
};

function batchFor({ batch, settings }: Pick<Scene, 'batch' | 'settings'>): Batch {
  if (batch.words.length === 0) throw new Advice('There are no words yet. Type a sentence.');
  const typed = settings.text('value').trim();
  const value = settings.number('value') ?? 0;
  if (Number.isNaN(value) && !/^nan$/i.test(typed))
    throw new Advice(`“${typed}” is not a number. Set \`value\` to a number or NaN.`);
  return batch;
}

/**
 * Returns the index of the word in each cell; -1 everywhere if an edited program made other ids.
 */
function placesIn({ ids }: PaddingData, batch: Batch): number[][] {
  const expected = places(batch);
  const same =
    ids.length === expected.length &&
    ids.every(
      (row, b) =>
        row.length === stepsOf(batch) &&
        row.every((id, t) => {
          const place = expected[b]?.[t] ?? -1;
          return place < 0 || id === batch.sequences[b]?.[place];
        }),
    );
  return same ? expected : ids.map((row) => row.map(() => -1));
}
