// SPDX-License-Identifier: MIT
// The chapter "steps": a recurrent layer step by step, with masked steps that the visitor paints.
import { places, wordsInCells } from '../../shared/batch.js';
import type { Chapter, Scene } from '../../shared/chapter.js';
import { find } from '../../shared/dom.js';
import { cellsOf, has } from '../../shared/holes.js';
import { linksOf } from '../../shared/linked.js';
import { PaintGrid } from '../../shared/paint.js';
import { painter } from '../../shared/painter.js';
import { changeThread, chosenIn, readsBackwards } from '../../shared/thread.js';
import { decimal, integer } from '../../shared/text.js';
import { choicesOf, kerasOf, programOf, units } from './programs.js';
import type { StepsData } from './read.js';
import { type RowFacts, summary, sumsOf } from './sentences.js';
import { atOf, followTime, showTime } from './scrubber.js';
import { tracks } from './tracks.js';
import { type Feature, featuresOf } from './walk.js';

let grid: PaintGrid | undefined;

export const steps: Chapter<StepsData> = {
  id: 'steps',
  usesBatch: true,
  program: programOf,
  keras: kerasOf,

  draw(data, scene) {
    const facts = rowFacts(data, scene);
    const { row, mask, features } = facts;
    const { merge } = choicesOf(scene.settings);
    const { step } = chosenIn(scene.settings, scene.batch);
    const whole = merge !== 'no';
    // Turns these options off, because Bidirectional sets them itself.
    for (const name of ['zero', 'backwards'])
      find<HTMLInputElement>(`[name="${name}"]`, scene.section).disabled = whole;
    scene.slot('both').hidden = !whole;
    offerRows(scene, data.mask.length, row);
    drawPaint(data, scene, row, step);
    showTime(scene, atOf(scene, mask.length), mask.length, readout(facts, step, features));
    const links = linksOf(places(scene.batch))[row] ?? [];
    scene.put('charts', ...tracks(features, { mask, step, links }));
  },

  summarize: (data, scene) => summary(rowFacts(data, scene)),
  sums: (data, scene) => sumsOf(rowFacts(data, scene)),

  start(scene) {
    const rowNow = () => chosenIn(scene.settings, scene.batch).row;
    grid = new PaintGrid(
      scene.slot('paint'),
      painter(scene, {
        caption: 'One row, unrolled over time',
        detail: 'paint on it',
        rowOf: rowNow,
        control: () => find<HTMLInputElement>('[name="steps-brush"]:checked', scene.section).value,
        // Painting a step chooses it.
        touch(row, step) {
          const last = (places(scene.batch)[row]?.length ?? 1) - 1;
          const at = readsBackwards(scene.settings) ? last - step : step;
          changeThread({ at: String(at) }, 'steps', 'changing');
        },
      }),
    );
    followTime(scene);
  },
};

/**
 * Returns the facts that the sentences need about the row on view; an edited program may have
 * another batch.
 */
function rowFacts(
  data: StepsData,
  { settings, batch }: Pick<Scene, 'settings' | 'batch'>,
): RowFacts {
  const { backwards, merge } = choicesOf(settings);
  const row = settings.integer('row', 0, data.mask.length - 1) ?? 0;
  return {
    row,
    mask: data.mask[row] ?? [],
    words: wordsInCells(batch)[row] ?? [],
    features: featuresOf(data.masked, data.bare, row, { backwards, merge, units }),
  };
}

function readout({ mask, words }: RowFacts, step: number, features: Feature[]): string {
  const values = features.map(({ values }) => decimal(values[step] ?? Number.NaN)).join(', ');
  return `Step ${step}, ${words[step] || 'padding'}, ${mask[step] ? 'kept' : 'masked'}: ${values}`;
}

function offerRows({ section }: Scene, rows: number, row: number): void {
  const select = find<HTMLSelectElement>('[name="row"]', section);
  [...select.options].forEach((option, index) => {
    option.hidden = index >= rows;
    option.disabled = index >= rows;
  });
  select.value = String(row);
}

/** Draws the row on view: one row of cells above the lines of its states. */
function drawPaint(
  { ids, mask }: StepsData,
  { batch, settings }: Scene,
  row: number,
  now: number,
): void {
  const wordPlaces = places(batch);
  const links = linksOf(wordPlaces)[row];
  const words = wordsInCells(batch)[row];
  const nans = cellsOf(settings.text('nans'), wordPlaces);
  const cells = (ids[row] ?? []).map((id, t) => {
    const masked = mask[row]?.[t] === false;
    const nan = has(nans, row, t);
    return {
      word: words?.[t] || 'padding',
      text: nan ? 'NaN' : integer(id),
      masked,
      link: links?.[t] ?? `r${row}t${t}`,
      classes: nan ? 'nan' : '',
      state: `${masked ? 'masked' : 'kept'}${t === now ? ', chosen' : ''}`,
    };
  });
  grid?.draw([cells], [`row ${row}`]);
}
