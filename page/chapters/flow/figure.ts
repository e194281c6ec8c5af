// SPDX-License-Identifier: MIT
// The figure below the model: its answers or the results of another program, compared with Keras.
import type { Scene } from '../../shared/chapter.js';
import { compare } from '../../shared/compare.js';
import { h } from '../../shared/dom.js';
import { captionOf, headOf, rowHead, scrollable } from '../../shared/grid.js';
import { count, decimal, gap, integer, largestGap, upTo } from '../../shared/text.js';
import { roles } from '../../shared/roles.js';
import { maskChip } from './edges.js';
import { loses } from './lost.js';
import type { FlowData } from './read.js';
import type { Stage } from './stage.js';
import { compareWith, isRecorded } from './recorded.js';
import type { Shown } from './shown.js';
import type { State } from './state.js';

const maxRows = 6;
const maxColumns = 6;

export function drawFigure(data: FlowData, scene: Scene, state: State): void {
  // The builder shows the masks of a built model. Figures of other programs are drawn here.
  const edited = scene.settings.text('code') !== '';
  const own = state.recipe !== undefined || (edited && data.edges?.length !== state.cards.length);
  scene.put('chains', ...(own ? data.chains.map(chainView) : []));
  scene.put(
    'numbers',
    ...(data.results.length > 0 ? data.results.map(resultView) : answersView(data)),
  );
  const compared =
    !edited &&
    (state.recipe !== undefined ? !state.readsSentences : isRecorded(state.data, scene.batch))
      ? compareWith(data, state.rules, state.key)
      : undefined;
  const place = scene.slot('keras');
  place.hidden = compared === undefined;
  place.replaceChildren();
  if (!compared) return;
  const { version, different, numbers, gap: largest } = compared;
  place.classList.toggle('alarm', different.length > 0);
  const masks =
    different.length === 0
      ? `Masks and shapes are the same in all ${compared.compared} places`
      : `Masks or shapes differ at ${different.join(', ')}`;
  const values =
    numbers === 0
      ? ''
      : `, and the largest difference of ${count(numbers, 'number')} is ${gap(largest)}`;
  place.append(h('strong', {}, `Keras ${version} ran the same program. `), `${masks}${values}.`);
}

// ── answers

function answersView(data: FlowData): HTMLElement[] {
  const { answers, output } = data;
  if (!output) return [];
  const at = indices(output);
  const pick = (values: number[]) => at.map((index) => values[index] ?? Number.NaN);
  const steps = output.shape.length === 3;
  const detail = `(${output.shape.join(', ')}); feature 0 of each row${steps ? ' at the last step' : ''}, with the same weights`;
  const columns = [
    ...(answers
      ? [
          { title: 'mask all the way', values: pick(answers.kept) },
          { title: 'no mask', values: pick(answers.none) },
        ]
      : []),
    { title: 'this model', values: pick(output.values), chosen: true },
  ];
  return [
    compare('Answers of the model', detail, columns),
    ...(answers ? [farApart(output, answers.kept)] : []),
  ];
}

const farApart = ({ values }: Shown, kept: number[]): HTMLElement =>
  h('p', { class: 'caption', 'data-slot': 'apart' }, sameness(values, kept));

/** Says whether all numbers of this model equal those with the mask all the way. */
function sameness(values: number[], kept: number[]): string {
  if (values.length !== kept.length)
    return '“this model” has another shape than “mask all the way”.';
  const largest = largestGap(values, kept);
  const all = `All ${count(values.length, 'number')} of “this model”`;
  return largest === 0
    ? `${all} equal those of “mask all the way”.`
    : `“this model” and “mask all the way” differ by ${upTo(largest)} in ${count(values.length, 'number')}.`;
}

/** Returns the index of one number for each of the first rows. */
function indices({ shape }: Shown): number[] {
  const [rows = 1, ...rest] = shape;
  const size = rest.reduce((product, each) => product * each, 1);
  const last = shape.length === 3 ? size - (shape[2] ?? 1) : 0;
  return Array.from({ length: Math.min(rows, maxRows) }, (_, b) => b * size + last);
}

// ── Results of programs that the visitor wrote

function resultView(shown: Shown): HTMLElement {
  const { title, shape, mask, dtype } = shown;
  const detail = `(${shape.join(', ')})`;
  if (dtype === 'bool')
    return h(
      'div',
      {},
      h('p', { class: 'label' }, `${title} ${detail}`),
      maskChip(asMask(shown), title),
    );
  const table = h(
    'table',
    { class: 'numbers values' },
    captionOf({ caption: title, detail: mask ? detail : `${detail}, no mask` }),
    headOf({ columns: columnsOf(shape), corner: shape.length === 3 ? 'row, step' : 'row' }),
  );
  const body = table.createTBody();
  const [rows = 1, steps = 1, inner = 1] =
    shape.length === 3 ? shape : [shape[0] ?? 1, 1, shape[1] ?? 1];
  for (const [b, t] of places(rows, steps)) {
    const from = (b * steps + t) * inner;
    const cells = shown.values.slice(from, from + Math.min(inner, maxColumns));
    const masked = mask?.[b]?.[t] === false;
    body.append(
      h(
        'tr',
        { class: masked ? 'masked' : undefined },
        rowHead(shape.length === 3 ? `${b}, ${t}${masked ? ' F' : mask ? ' T' : ''}` : String(b)),
        ...cells.map((value) => h('td', {}, h('span', {}, written(value, dtype)))),
      ),
    );
  }
  const drawn = places(rows, steps).length / Math.min(steps, 12);
  const hidden =
    drawn < rows ? `The first ${drawn === 1 ? '' : `${drawn} `}of ${count(rows, 'row')}.` : '';
  return h('div', {}, scrollable(table, title), hidden ? h('p', { class: 'hint' }, hidden) : null);
}

const written = (value: number, dtype: string): string =>
  dtype === 'int32' || Number.isInteger(value) ? integer(value) : decimal(value);

const columnsOf = (shape: number[]): string[] =>
  Array.from({ length: Math.min(shape.at(-1) ?? 1, maxColumns) }, (_, i) => String(i));

/** Returns the rows and steps to draw: all steps of a few rows, at most 12 lines. */
function places(rows: number, steps: number): [number, number][] {
  const max = steps > 1 ? Math.max(1, Math.floor(12 / steps)) : maxRows;
  return Array.from({ length: Math.min(rows, max) }, (_, b) =>
    Array.from({ length: Math.min(steps, 12) }, (_, t): [number, number] => [b, t]),
  ).flat();
}

const asMask = ({ values, shape }: Shown): boolean[][] =>
  Array.from({ length: shape[0] ?? 0 }, (_, b) =>
    Array.from({ length: shape[1] ?? 0 }, (_, t) => values[b * (shape[1] ?? 0) + t] === 1),
  );

// ── Masks of programs that the visitor wrote

function chainView({ title, stages }: FlowData['chains'][number]): HTMLElement {
  return h(
    'div',
    {},
    h('p', { class: 'label' }, title),
    h('ol', { class: 'built', 'aria-label': `The layers of ${title}` }, ...stages.map(stageView)),
  );
}

function stageView(stage: Stage): HTMLElement {
  const { className, role, reason, remedy, maskOut, shapeOut, inner, warning } = stage;
  const lost = loses(stage);
  const has = maskOut.some(Boolean);
  return h(
    'li',
    { class: inner ? 'inner' : undefined },
    h(
      'div',
      { class: lost ? 'card lost' : 'card' },
      h(
        'h3',
        {},
        className,
        ' ',
        h('span', { class: 'role' }, role === 'drops' && !lost ? roles.uses : roles[role]),
      ),
      h(
        'div',
        { class: 'told' },
        h('p', { class: 'caption' }, reason),
        warning ? h('p', { class: 'warned' }, h('strong', {}, 'Warning '), warning) : null,
        lost && remedy
          ? h('p', { class: 'remedy' }, h('span', {}, h('strong', {}, 'Remedy: '), remedy))
          : null,
      ),
    ),
    h(
      'div',
      { class: has ? 'between alive' : 'between' },
      h(
        'div',
        { class: 'travels' },
        h('p', { class: 'shape' }, `(${shapeOut.join(', ')})`),
        ...maskOut.map((mask) => maskChip(mask, `Mask after ${className}`, { lost })),
      ),
    ),
  );
}
