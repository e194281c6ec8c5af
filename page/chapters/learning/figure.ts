// SPDX-License-Identifier: MIT
// The figures of the chapter "learning": losses, answers, and how padding moves the answers.
import { figured, shareOf } from '../../shared/arithmetic.js';
import type { Scene } from '../../shared/chapter.js';
import { lineChart } from '../../shared/chart.js';
import { h } from '../../shared/dom.js';
import { captionOf, headOf, scrollable } from '../../shared/grid.js';
import { widthOf } from '../../shared/room.js';
import { upTo } from '../../shared/text.js';
import { word } from '../../shared/word.js';
import { countRight, isClosed, isGuess, shareRight, verdictOf } from './measure.js';
import type { LearningData } from './read.js';

export const percent = (share: number): string => `${Math.round(share * 100)} %`;

const models = [
  { name: 'with the mask', look: 'kept' },
  { name: 'without', look: 'alarm' },
] as const;

/** Returns the index of the chosen width among those that the program tried. */
const placeOf = ({ widths }: LearningData, { settings }: Scene): number =>
  Math.max(0, widths.indexOf(settings.integer('width', 0, 10_000) ?? 0));

const nameOf = (width: number): string =>
  width === 0 ? 'alone, not padded' : `padded to ${width}`;

/** Returns a word that is on view while a recording stands in for a run. */
const ofRecording = () => h('span', { class: 'of-recording' }, 'Recorded: ');

export function drawAnswers(data: LearningData, scene: Scene): void {
  const place = placeOf(data, scene);
  const lines = models.flatMap(({ name, look }, model) => [
    h('dt', {}, h('span', { class: `swatch ${look}` }), name),
    h(
      'dd',
      { class: look },
      h(
        'strong',
        {},
        figured([
          percent(shareRight(data, model as 0 | 1, place)),
          shareOf(countRight(data, model as 0 | 1, place), data.held.length),
        ]),
      ),
      isGuess(shareRight(data, model as 0 | 1, place)) ? ' right: guessing' : ' right',
    ),
  ]);
  const rows = `Rows that neither model saw, ${nameOf(data.widths[place] ?? 0)}`;
  scene.put('which', ofRecording(), rows);
  scene.put('answers', ...lines);
}

export function drawLosses({ curve }: LearningData, epochs: number, scene: Scene): void {
  const line = (model: 0 | 1) => curve.map((pair, index) => [index + 1, pair[model]] as const);
  const last = curve.at(-1) ?? [Number.NaN, Number.NaN];
  const max = Math.max(0.7, ...curve.flat().filter(Number.isFinite));
  const end = Math.max(epochs, curve.length);
  scene.put(
    'curve',
    h('figcaption', { class: 'label' }, ofRecording(), 'Training ', word('loss'), ' of each model'),
    lineChart({
      label: `Loss after ${curve.length} epochs: ${last[0].toFixed(3)} with the mask, ${last[1].toFixed(3)} without.`,
      lines: [
        { ...models[0], points: line(0) },
        { ...models[1], points: line(1) },
      ],
      x: [1, end],
      y: [0, Math.ceil(max * 10) / 10],
      xTicks: [1, end / 2, end],
      yTicks: [0, 0.7],
      xTitle: 'epoch',
      yTitle: 'loss',
      height: 220,
      width: widthOf(scene.slot('curve'), 420),
    }),
  );
}

export function drawWidths(data: LearningData, scene: Scene): void {
  const { widths } = data;
  const line = (model: 0 | 1) =>
    widths.map((_, place) => [place, shareRight(data, model, place)] as const);
  const shares = models
    .map(
      ({ name }, model) =>
        `${name} ${widths.map((width, place) => `${nameOf(width)} ${percent(shareRight(data, model as 0 | 1, place))}`).join(', ')}`,
    )
    .join('; ');
  scene.put(
    'widths',
    h(
      'figcaption',
      { class: 'label' },
      ofRecording(),
      'Right answers for rows that neither model saw',
    ),
    lineChart({
      label: `Share of right answers by padding: ${shares}.`,
      // The lengths are names of columns: between them lie unequal distances.
      lines: [
        { ...models[0], points: line(0), isDotted: true },
        { ...models[1], points: line(1), isDotted: true },
      ],
      // The first and the last column are as far from the edges as their dots are wide.
      x: [-0.2, widths.length - 0.8],
      y: [0, 1],
      xTicks: widths.map((_, place) => place),
      tick: (place) => (widths[place] === 0 ? 'none' : String(widths[place] ?? '')),
      yTicks: [0, 0.5, 1],
      xTitle: 'padded to (columns, not to scale)',
      yTitle: 'share right',
      marker: placeOf(data, scene),
      height: 220,
      width: widthOf(scene.slot('widths'), 420),
    }),
    h(
      'p',
      { class: 'hint' },
      `Padding changes the answers with the mask by ${upTo(verdictOf(data, 0).moved)}, those without it by ${upTo(verdictOf(data, 1).moved)}.`,
    ),
  );
}

const letters = (row: readonly number[]) => row.map((id) => (id === 1 ? '(' : ')')).join('');

/** Returns the indices of a few rows of different lengths, half of them closed. */
function examples(held: number[][]): number[] {
  const chosen: number[] = [];
  for (const closed of [true, false]) {
    const places = held.flatMap((row, index) => (isClosed(row) === closed ? [index] : []));
    const byLength = places.sort((a, b) => (held[a]?.length ?? 0) - (held[b]?.length ?? 0));
    for (const share of [0, 0.5, 1]) {
      const place = byLength[Math.round(share * (byLength.length - 1))];
      if (place !== undefined && !chosen.includes(place)) chosen.push(place);
    }
  }
  return chosen;
}

export function drawRows(data: LearningData, scene: Scene): void {
  const place = placeOf(data, scene);
  const width = data.widths[place] ?? 0;
  const caption = 'Answers of the models';
  const table = h(
    'table',
    { class: 'numbers' },
    captionOf({ caption, detail: `probability of “closed”, ${nameOf(width)}` }),
    headOf({ corner: 'row', columns: ['is closed', 'with the mask', 'without'] }),
  );
  const body = table.createTBody();
  for (const index of examples(data.held)) {
    const row = data.held[index] ?? [];
    const closed = isClosed(row);
    const cells = models.map((_, model) => {
      const answer = data.says[model as 0 | 1][place]?.[index] ?? Number.NaN;
      const right = answer > 0.5 === closed;
      return h('td', {}, answer.toFixed(3), h('span', { class: 'wrong' }, right ? '' : ' wrong'));
    });
    body.append(
      h(
        'tr',
        {},
        h('th', { scope: 'row', class: 'mono' }, letters(row)),
        h('td', {}, closed ? 'yes' : 'no'),
        ...cells,
      ),
    );
  }
  scene.put('rows', scrollable(table, caption));
}
