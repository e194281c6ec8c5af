// SPDX-License-Identifier: MIT
// The chapter "cell": the equations of one step of a recurrent layer, with the numbers of a unit.
import { places, wordsInCells } from '../../shared/batch.js';
import type { Chapter, Scene } from '../../shared/chapter.js';
import { type Child, find, h } from '../../shared/dom.js';
import { cellsOf, has, paint } from '../../shared/holes.js';
import { linksOf } from '../../shared/linked.js';
import { count, decimal, gap } from '../../shared/text.js';
import { changeThread, choose, chosenIn, mergeOf } from '../../shared/thread.js';
import { cellPicture } from './drawing.js';
import { equationItem, followTerms, listOf, putEquations } from './equations.js';
import { kerasOf, kindOf, programOf } from './programs.js';
import type { CellData } from './read.js';
import { Terms, gatesOf } from './terms.js';

type Inputs = Pick<Scene, 'settings' | 'batch'>;

export const cell: Chapter<CellData> = {
  id: 'cell',
  usesBatch: true,
  usesThread: true,
  program: programOf,
  keras: kerasOf,

  draw(data, scene) {
    const terms = termsOf(data, scene);
    const word = wordsInCells(scene.batch)[data.row]?.[terms.step] || 'padding';
    const link = linksOf(places(scene.batch))[data.row]?.[terms.step] ?? '';
    scene.put('where', `step ${terms.step} of row ${data.row}`);
    scene.put('drawing', cellPicture(terms, scene.slot('drawing')));
    find('.opened figcaption', scene.section).dataset['link'] = link;
    find('[data-for="gru"]', scene.section).hidden = !terms.kind.startsWith('gru');
    scene.put(
      'title',
      `Step ${terms.step} of row ${data.row}, `,
      h('bdi', {}, word),
      h('small', {}, terms.masked ? ' masked: skipped' : ` unit ${terms.unit}`),
    );
    const skipped = terms.equations().map((each) => equationItem(each, 'skipped'));
    const items = terms.masked
      ? [...terms.held().map((each) => equationItem(each, 'held')), ...skipped]
      : terms.equations().map((each) => equationItem(each, ''));
    putEquations(listOf(scene.section), items);
    scene.put('detail', 'Choose a part to see where its number comes from.');
    const button = find('[data-toggle]', scene.section);
    button.textContent = terms.masked ? 'Keep this step' : 'Mask this step';
    // The mask that is shown: that of the settings may be one computation ahead.
    button.dataset['toggle'] = terms.masked ? 'keep' : 'mask';
  },

  summarize(data, scene) {
    const terms = termsOf(data, scene);
    const { step, unit } = terms;
    const accuracy = `${plainCell(scene)}${agreement(data)}`;
    const [now, before] = [data.outputs[step]?.[unit], data.outputs[step - 1]?.[unit] ?? 0];
    if (now === undefined) return accuracy;
    if (!terms.masked) return `${changeOf(unit, before, now)} ${accuracy}`;
    const same = isSame(now, before);
    const repeated =
      step === 0
        ? 'In both, the layer returns 0, since no step came before'
        : 'In both, the layer repeats its last output, to the last bit';
    return `The step is masked: maskflow skips it; Keras computes it and discards the result. ${same ? repeated : 'Yet the layer returns something new'} (${decimal(now)}). ${accuracy}`;
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
      because: `Step ${step} only has ${kept}, copied from the step before. The gates that Keras computes and discards cost a product with all weights.`,
      instead: {
        closed: 'Closed gates would not repeat the output: an output gate of 0 returns 0.',
        open: 'Open gates would add the word to the state, which the mask prevents.',
      },
    };
  },

  start(scene) {
    const explain = (content: Child[]) => scene.put('detail', ...(content as (Node | string)[]));
    followTerms(listOf(scene.section), explain);
    followTerms(scene.slot('drawing'), explain);
    for (const button of scene.section.querySelectorAll<HTMLElement>('[data-move]'))
      button.addEventListener('click', () => move(scene, Number(button.dataset['move'])));
    find('[data-toggle]', scene.section).addEventListener('click', () => toggle(scene));
    scene.section.querySelector('[data-predict]')?.addEventListener('click', ({ target }) => {
      const { toggle: action } = find('[data-toggle]', scene.section).dataset;
      if (target instanceof HTMLButtonElement && action === 'mask') toggle(scene);
    });
  },
};

function termsOf(data: CellData, scene: Inputs): Terms {
  const { step } = chosenIn(scene.settings, scene.batch);
  const unit = scene.settings.integer('unit', 0, 1) ?? 0;
  return new Terms(data, kindOf(scene.settings), Math.min(step, data.outputs.length - 1), unit);
}

/** Says how this cell differs from the layer of the row above, which may have more settings. */
function plainCell({ settings }: Inputs): string {
  const more =
    mergeOf(settings) !== 'no' || settings.flag('backwards') || settings.flag('stateful');
  const begins = Number(settings.text('initial')) !== 0;
  return more || begins ? 'This cell reads forward, once, from zeros. ' : '';
}

/** Whether two numbers are equal, or both are NaN. */
const isSame = (a: number, b: number): boolean => a === b || Object.is(a, b);

/** Says how the output of a unit changes in one step. */
function changeOf(unit: number, before: number, now: number): string {
  if (!Number.isNaN(now)) return `Unit ${unit} goes from ${decimal(before)} to ${decimal(now)}.`;
  return Number.isNaN(before) ? `Unit ${unit} stays NaN.` : `Unit ${unit} becomes NaN.`;
}

/** Compares the equations with the layer, at each step and unit of the row. */
function agreement({ moments, outputs }: CellData): string {
  const pairs = outputs.flatMap((output, t) =>
    output.map((value, unit) => [value, moments[t]?.['h']?.[unit] ?? Number.NaN] as const),
  );
  const numbers = pairs.filter((pair) => !pair.some(Number.isNaN));
  const largest = Math.max(0, ...numbers.map(([layer, own]) => Math.abs(layer - own)));
  const steps = `Over the ${count(outputs.length, 'step')} of this row`;
  if (numbers.length === pairs.length)
    return `${steps}, these equations and the layer itself differ by ${gap(largest)}.`;
  const agree = pairs.every(([layer, own]) => Number.isNaN(layer) === Number.isNaN(own));
  const rest = numbers.length === 0 ? '' : `; elsewhere they differ by ${gap(largest)}`;
  return `${steps}, these equations and the layer itself are NaN at ${agree ? 'the same' : 'different'} steps${rest}.`;
}

function toggle({ settings, batch }: Scene): void {
  const { row, step } = chosenIn(settings, batch);
  const [text, wordPlaces] = [settings.text('holes'), places(batch)];
  const on = !has(cellsOf(text, wordPlaces), row, step);
  changeThread({ holes: paint(text, wordPlaces, [row, step], on) }, 'cell');
}

function move({ settings, batch }: Scene, by: number): void {
  const { row, step } = chosenIn(settings, batch);
  const steps = places(batch)[row]?.length ?? 1;
  choose({ row, step: Math.min(steps - 1, Math.max(0, step + by)) }, 'cell');
}
