// SPDX-License-Identifier: MIT
import { places, wordsInCells } from '../../shared/batch.js';
import type { Chapter, Scene } from '../../shared/chapter.js';
import { find, h } from '../../shared/dom.js';
import { cellsOf, has, paint } from '../../shared/holes.js';
import { linksOf } from '../../shared/linked.js';
import { PaintGrid } from '../../shared/paint.js';
import { drive, writeForm } from '../../shared/settings.js';
import { count, decimal, gap } from '../../shared/text.js';
import { equationItem, followTerms, listOf, putEquations } from './equations.js';
import { kerasOf, kindOf, programOf, viewOf } from './programs.js';
import type { CellData } from './read.js';
import { Terms, gatesOf } from './terms.js';

let grid: PaintGrid | undefined;

type Inputs = Pick<Scene, 'settings' | 'batch'>;

export const cell: Chapter<CellData> = {
  id: 'cell',
  usesBatch: true,
  program: programOf,
  keras: kerasOf,

  draw(data, scene) {
    const terms = termsOf(data, scene);
    const word = wordsInCells(scene.batch)[data.row]?.[terms.step] || 'padding';
    drawPick(data, scene, terms.step);
    scene.put(
      'title',
      `Step ${terms.step} of row ${data.row}, `,
      h('bdi', {}, word),
      h('small', {}, terms.masked ? ' masked: not computed' : ` unit ${terms.unit}`),
    );
    const skipped = terms.equations().map((each) => equationItem(each, 'skipped'));
    const items = terms.masked
      ? [...terms.held().map((each) => equationItem(each, 'held')), ...skipped]
      : terms.equations().map((each) => equationItem(each, ''));
    putEquations(listOf(scene.section), items);
    scene.put('detail', 'Point at a term to see where its number comes from.');
    find('[data-toggle]', scene.section).textContent = terms.masked
      ? 'Keep this step'
      : 'Mask this step';
  },

  summarize(data, scene) {
    const terms = termsOf(data, scene);
    const { step, unit } = terms;
    const accuracy = `Over the ${count(data.outputs.length, 'step')} of this row, these equations and the layer itself differ by ${gap(largestDifference(data))}.`;
    const [now, before] = [data.outputs[step]?.[unit], data.outputs[step - 1]?.[unit] ?? 0];
    if (now === undefined) return accuracy;
    if (!terms.masked)
      return `Unit ${unit} goes from ${decimal(before)} to ${decimal(now)}. ${accuracy}`;
    const same = Object.is(now, before) || now === before;
    const repeated =
      step === 0
        ? 'the layer returns 0, since no step came before'
        : 'the layer repeats its last output, to the last bit';
    return `The step is masked: no gate is computed, and ${same ? repeated : 'yet the layer returns something new'} (${decimal(now)}). ${accuracy}`;
  },

  judge(data, scene) {
    const { masked, step, kind } = termsOf(data, scene);
    if (!masked) return undefined;
    const moment = data.moments[step] ?? {};
    const gates = gatesOf(kind).flatMap((name) => moment[name] ?? []);
    const right =
      gates.length === 0 ? 'none' : gates.every((value) => value === 0) ? 'closed' : 'open';
    const kept = Object.keys(moment).join(' and ');
    return {
      right,
      because: `Step ${step} only has ${kept}, copied from the step before. A gate would cost a product with all weights.`,
    };
  },

  start(scene) {
    const form = find<HTMLFormElement>('form', scene.section);
    grid = new PaintGrid(scene.slot('pick'), {
      caption: 'The batch',
      detail: 'choose a step',
      paint(row, step) {
        const values = { row: String(row), step: String(step) };
        if (
          scene.settings.text('row') === values.row &&
          scene.settings.text('step') === values.step
        )
          return;
        writeForm(form, new Map([['row', values.row]]));
        drive(form, 'step', values.step, 'changing');
      },
      done: () => form.dispatchEvent(new Event('change', { bubbles: true })),
    });
    followTerms(listOf(scene.section), (content) =>
      scene.put('detail', ...(content as (Node | string)[])),
    );
    find('[data-toggle]', scene.section).addEventListener('click', () => toggle(scene));
    scene.section.querySelector('[data-predict]')?.addEventListener('click', ({ target }) => {
      const isKept = find('[data-toggle]', scene.section).textContent === 'Mask this step';
      if (target instanceof HTMLButtonElement && isKept) toggle(scene);
    });
  },
};

function termsOf(data: CellData, scene: Inputs): Terms {
  const { step } = viewOf(scene);
  const unit = scene.settings.integer('unit', 0, 1) ?? 0;
  return new Terms(data, kindOf(scene.settings), Math.min(step, data.outputs.length - 1), unit);
}

/** Returns the largest difference between the equations and the layer. */
const largestDifference = ({ moments, outputs }: CellData): number =>
  outputs.reduce(
    (largest, output, t) =>
      output.reduce(
        (far, value, unit) =>
          Math.max(far, Math.abs(value - (moments[t]?.['h']?.[unit] ?? Number.NaN))),
        largest,
      ),
    0,
  );

function toggle({ section, settings, batch }: Scene): void {
  const { row, step } = viewOf({ settings, batch });
  const [text, wordPlaces] = [settings.text('holes'), places(batch)];
  const on = !has(cellsOf(text, wordPlaces), row, step);
  drive(find<HTMLFormElement>('form', section), 'holes', paint(text, wordPlaces, [row, step], on));
}

function drawPick({ ids, mask, row }: CellData, { batch }: Scene, step: number): void {
  const links = linksOf(places(batch));
  const words = wordsInCells(batch);
  grid?.draw(
    ids.map((each, b) =>
      each.map((id, t) => {
        const masked = mask[b]?.[t] === false;
        const word = words[b]?.[t] || 'padding';
        const now = b === row && t === step;
        return {
          word,
          text: String(id),
          masked,
          link: links[b]?.[t] ?? `r${b}t${t}`,
          classes: now ? 'now' : '',
          state: `${masked ? 'masked' : 'kept'}${now ? ', open' : ''}`,
        };
      }),
    ),
  );
}
