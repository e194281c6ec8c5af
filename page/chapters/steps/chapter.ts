// SPDX-License-Identifier: MIT
import { readPlace, writePlace } from '../../shared/address.js';
import { places, wordsInCells } from '../../shared/batch.js';
import type { Chapter, Scene } from '../../shared/chapter.js';
import { find } from '../../shared/dom.js';
import { cellsOf, has } from '../../shared/holes.js';
import { linksOf } from '../../shared/linked.js';
import { PaintGrid } from '../../shared/paint.js';
import { painter } from '../../shared/painter.js';
import { writeForm } from '../../shared/settings.js';
import { decimal } from '../../shared/text.js';
import { charts } from './charts.js';
import { choicesOf, kerasOf, programOf, units } from './programs.js';
import type { StepsData } from './read.js';
import { type RowFacts, judgement, summary } from './sentences.js';
import { atOf, followTime, showTime } from './scrubber.js';
import { type Feature, featuresOf, orderOf } from './walk.js';

let grid: PaintGrid | undefined;

export const steps: Chapter<StepsData> = {
  id: 'steps',
  usesBatch: true,
  program: programOf,
  keras: kerasOf,

  draw(data, scene) {
    const facts = rowFacts(data, scene);
    const { row, mask, features } = facts;
    const { backwards, merge } = choicesOf(scene.settings);
    const order = orderOf(mask.length, backwards);
    const at = atOf(scene, mask.length);
    const whole = merge !== 'no';
    // Turns these options off, because Bidirectional sets them itself.
    for (const name of ['zero', 'backwards'])
      find<HTMLInputElement>(`[name="${name}"]`, scene.section).disabled = whole;
    scene.slot('both').hidden = !whole;
    offerRows(scene, data.mask.length, row);
    drawPaint(data, scene, { row, ahead: whole ? [] : order.slice(at + 1), now: order[at] ?? 0 });
    showTime(scene, at, mask.length, readout(facts, order[at] ?? 0, features));
    const links = linksOf(places(scene.batch))[row] ?? [];
    scene.put('charts', ...charts(features, { mask, order, at, whole, links }));
  },

  summarize: (data, scene) => summary(rowFacts(data, scene)),
  judge: (data, scene) => judgement(rowFacts(data, scene)),

  start(scene) {
    const form = find<HTMLFormElement>('form', scene.section);
    grid = new PaintGrid(
      scene.slot('paint'),
      painter(scene, {
        caption: 'The batch',
        detail: 'paint on it',
        control: () => find<HTMLInputElement>('[name="steps-brush"]:checked', scene.section).value,
        // Painting a row selects it.
        touch: (row) => writeForm(form, new Map([['row', String(row)]])),
      }),
    );
    followTime(scene);
    scene.section.querySelector('[data-predict]')?.addEventListener('click', ({ target }) => {
      const none = scene.settings.text('holes') === '' && target instanceof HTMLButtonElement;
      const row = Math.max(
        0,
        scene.batch.words.findIndex((words) => words.length > 2),
      );
      if (none) scene.set({ holes: `${row}w1`, row: String(row) });
    });
    find('[data-open]', scene.section).addEventListener('click', () => openCell(scene));
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
  return `Step ${step}, ${words[step] || 'padding'}, ${mask[step] ? 'computed' : 'masked'}: ${values}`;
}

function offerRows({ section }: Scene, rows: number, row: number): void {
  const select = find<HTMLSelectElement>('[name="row"]', section);
  [...select.options].forEach((option, index) => {
    option.hidden = index >= rows;
    option.disabled = index >= rows;
  });
  select.value = String(row);
}

interface Look {
  row: number;
  /** Steps of the row that are not read yet. */
  ahead: number[];
  /** The step that is read now. */
  now: number;
}

function drawPaint({ ids, mask }: StepsData, { batch, settings }: Scene, look: Look): void {
  const wordPlaces = places(batch);
  const links = linksOf(wordPlaces);
  const words = wordsInCells(batch);
  const nans = cellsOf(settings.text('nans'), wordPlaces);
  grid?.draw(
    ids.map((row, b) =>
      row.map((id, t) => {
        const masked = mask[b]?.[t] === false;
        const nan = has(nans, b, t);
        const word = words[b]?.[t] || 'padding';
        const here = b === look.row;
        const classes = [
          nan && 'nan',
          here && 'here',
          here && t === look.now && 'now',
          here && look.ahead.includes(t) && 'ahead',
        ];
        return {
          word,
          text: nan ? 'NaN' : String(id),
          masked,
          link: links[b]?.[t] ?? `r${b}t${t}`,
          classes: classes.filter(Boolean).join(' '),
          state: masked ? 'masked' : 'kept',
        };
      }),
    ),
  );
}

/** Opens chapter 5 with the layer, row, step and mask of this chapter. */
function openCell(scene: Scene): void {
  const { settings } = scene;
  const { layer, backwards } = choicesOf(settings);
  const wordPlaces = places(scene.batch);
  const row = settings.integer('row', 0, wordPlaces.length - 1) ?? 0;
  const count = wordPlaces[row]?.length ?? 1;
  const step = orderOf(count, backwards)[atOf(scene, count)] ?? 0;
  const place = readPlace(location.hash);
  const own = { layer, row: String(row), step: String(step), holes: settings.text('holes') };
  place.values.set('cell', new Map(Object.entries(own).filter(([, value]) => value !== '')));
  location.hash = writePlace({ ...place, chapter: 'cell' });
}
