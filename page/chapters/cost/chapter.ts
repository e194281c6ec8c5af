// SPDX-License-Identifier: MIT
// The chapter "cost": the time that skipped steps save, measured in the visitor's browser.
import { Advice, type Chapter, type Scene } from '../../shared/chapter.js';
import { lineChart } from '../../shared/chart.js';
import { find, h, s } from '../../shared/dom.js';
import { captionOf, headOf, rowHead, scrollable } from '../../shared/grid.js';
import { program } from '../../shared/program.js';
import { runButtons, runWhenSeen } from '../../shared/runs.js';
import { count } from '../../shared/text.js';
import type { CostData, CostRow, Quartiles } from './read.js';
import {
  comparison,
  millions,
  milliseconds,
  percent,
  savedShare,
  sumsOf,
  workLeft,
} from './words.js';

/** Which of the steps are kept, as text of the program and as a function. */
const kept = {
  end: 't < steps * share',
  start: 't >= steps - steps * share',
  holes: '(t * 37) % steps < steps * share',
};
const isKept = {
  end: (t: number, share: number) => t < 60 * share,
  start: (t: number, share: number) => t >= 60 - 60 * share,
  holes: (t: number, share: number) => (t * 37) % 60 < 60 * share,
};

export const cost: Chapter<CostData> = {
  id: 'cost',
  waits: true,
  invites: 'Press Measure: it takes about a second.',
  timeLimit: 60_000,
  recorded: async () =>
    (await import('../../../tests/fixtures/page/cost_run.json')).default as unknown as CostData,

  program({ settings }) {
    const rows = settings.integer('rows', 1, 128);
    if (rows === undefined) throw new Advice('Type the number of rows, from 1 to 128.');
    const where = settings.choice('where', 'end', 'start', 'holes');
    const layer = settings.choice('layer', 'lstm', 'gru', 'simpleRNN');
    return program(`const [rows, steps, features] = [${rows}, 60, 32];
const layer = layers.${layer}({ units: 64 });
const x = tensor(Float32Array.from({ length: rows * steps * features }, (_, i) => Math.sin(i)), { shape: [rows, steps, features] });
const row = (share) => Array.from({ length: steps }, (_, t) => ${kept[where]}); // which steps are kept
const masks = [1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1].map((share) => tensor(Array(rows).fill(row(share)), { dtype: 'bool' }));
const times = masks.map(() => ({ kept: [], every: [] }));
const time = (mask, calls = 0, from = performance.now()) => { // enough calls for the clock
  do layer.apply(x, { mask }).dispose(), calls++; while (performance.now() - from < 4);
  return (performance.now() - from) / calls;
};
for (const mask of masks) time(mask); // warm-up
for (let round = 1; round <= ${settings.choice('rounds', '9', '25', '99')} && (await turn()); show(round++))
  for (const [i, { kept, every }] of times.entries()) every.push(time(masks[0])), kept.push(time(masks[i]));`);
  },

  controls(scene) {
    const share = shareOf(scene);
    const where = scene.settings.choice('where', 'end', 'start', 'holes');
    find('#cost-share', scene.section).setAttribute(
      'aria-valuetext',
      `${percent(share)} of the steps kept`,
    );
    scene.put('share', percent(share));
    scene.put('batch', barcode(Array.from({ length: 60 }, (_, t) => isKept[where](t, share))));
  },

  start(scene) {
    runButtons(scene);
    runWhenSeen(scene, { quietly: true });
  },

  shown(round, { put, settings }) {
    const rounds = settings.choice('rounds', '9', '25', '99');
    put('progress', `round ${round} of ${rounds}`);
    return undefined;
  },

  draw(data, scene) {
    const chosen = rowOf(data, scene);
    scene.put('progress', `${count(data.rounds, 'round')} measured`);
    scene.put('answers', ...answers(chosen, data));
    scene.put('chart', chart(data, chosen, scene.slot('chart').clientWidth));
    scene.put('machine', machine(data));
    scene.put('table', table(data));
  },

  summarize(data, scene) {
    const row = rowOf(data, scene);
    const full = data.rows[0]?.multiplyAdds ?? Number.NaN;
    return `With ${percent(row.share)} of the steps kept, ${comparison(row, data.every)} ${workLeft(row.multiplyAdds / full)}`;
  },

  sums: (data, scene) => sumsOf(rowOf(data, scene), data.every),

  judge({ rows, every }) {
    const half = rows.find(({ share }) => Math.abs(share - 0.5) < 0.06);
    if (!half) return undefined;
    const saved = savedShare(half, every);
    const right =
      saved < 0.1 ? 'nothing' : saved < 0.35 ? 'little' : saved < 0.65 ? 'half' : 'most';
    const effect =
      saved < 0 ? `it takes ${percent(-saved)} longer` : `${percent(saved)} of the time is saved`;
    const follows = Math.abs(saved - (1 - half.share)) < 0.2;
    const reason = follows
      ? 'The time follows the kept steps, because each costs the same product with the weights.'
      : 'Other programs disturb the clock of this machine: measure again.';
    return {
      right,
      because: `With ${percent(half.share)} of the steps kept, ${effect}. ${reason}`,
      instead: {
        nothing:
          'A masked step costs nothing only where it is skipped, as here, not computed and discarded.',
        little: 'Only the overhead of a call does not depend on the number of steps; it is small.',
        half: 'Measured times are not exact: other programs of the machine disturb them.',
        most: 'The kept half must still be computed, step after step.',
      },
    };
  },
};

const shareOf = ({ settings }: Scene): number => (settings.integer('share', 10, 100) ?? 50) / 100;

/** Returns the row nearest to the slider's share. */
function rowOf({ rows }: CostData, scene: Scene): CostRow {
  const away = ({ share }: CostRow) => Math.abs(share - shareOf(scene));
  return rows.reduce((best, row) => (away(row) < away(best) ? row : best));
}

const answers = ({ kept }: CostRow, { every }: CostData): HTMLElement[] => [
  h('dt', {}, h('span', { class: 'swatch kept' }), 'kept steps only'),
  h('dd', { class: 'kept' }, h('strong', {}, milliseconds(kept.median))),
  h('dt', {}, h('span', { class: 'swatch alarm' }), 'every step'),
  h('dd', { class: 'alarm' }, h('strong', {}, milliseconds(every.median))),
];

/** Draws the steps of a row: kept ones filled, masked ones hatched. */
const barcode = (steps: boolean[]): SVGElement =>
  s(
    'svg',
    { viewBox: '0 0 60 1', preserveAspectRatio: 'none', 'aria-hidden': 'true' },
    ...steps.map((keep, t) => (keep ? s('rect', { x: t, width: 0.86, height: 1 }) : null)),
  );

/** Returns the chart; `room` is the width of its place in pixels, 0 if it is hidden. */
function chart({ rows, every }: CostData, chosen: CostRow, room: number): HTMLElement {
  const at = ({ share }: CostRow) => Math.round(share * 100);
  const max = Math.max(every.high, ...rows.map(({ kept }) => kept.high));
  const full = rows[0];
  const work = ({ multiplyAdds }: CostRow) =>
    full ? (full.kept.median * multiplyAdds) / full.multiplyAdds : Number.NaN;
  return lineChart({
    label: `Milliseconds for a batch with 100 down to 10 per cent of its steps kept: with the kept steps only, from ${milliseconds(full?.kept.median ?? 0)} to ${milliseconds(rows.at(-1)?.kept.median ?? 0)}; with every step ${milliseconds(every.median)}, whatever the mask.`,
    lines: [
      {
        name: 'every step',
        look: 'alarm',
        points: rows.map((row) => [at(row), every.median]),
        band: rows.map((row) => [at(row), every.low, every.high]),
      },
      {
        name: 'kept steps',
        look: 'kept',
        points: rows.map((row) => [at(row), row.kept.median]),
        band: rows.map((row) => [at(row), row.kept.low, row.kept.high]),
      },
      { name: 'multiply-adds', look: 'ghost', points: rows.map((row) => [at(row), work(row)]) },
    ],
    x: [100, 10],
    y: [0, niceTop(max)],
    xTicks: [100, 80, 60, 40, 20],
    yTicks: [0, niceTop(max) / 2, niceTop(max)],
    xTitle: 'per cent of the steps kept',
    yTitle: 'ms per batch',
    marker: at(chosen),
    // Letters keep their size in a narrow frame.
    ...(room > 0 && room < 640 && { width: Math.max(320, room), height: 220 }),
  });
}

/** Returns a number with few digits that is at least `max`. */
function niceTop(max: number): number {
  const scale = 10 ** Math.floor(Math.log10(max || 1));
  const step = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10].find((each) => each * scale >= max) ?? 10;
  return Number((step * scale).toPrecision(2));
}

function machine({
  machine: { engine, processors, variant, tick },
  shape,
  rounds,
}: CostData): string {
  const cores = processors === undefined ? '' : `, on one of ${count(processors, 'processor')}`;
  const clock =
    tick >= 0.02
      ? ` Its clock ticks every ${Number(tick.toPrecision(1))} ms, so each time is a mean over several calls.`
      : '';
  return `Medians of ${count(rounds, 'round')} in ${engine}${cores}, WebAssembly variant “${variant}”; x is [${shape.join(', ')}]. “Every step” is the same code with nothing masked, measured before each of the others; a band is the middle half of the measurements.${clock} Other programs on the machine disturb the measurement: measure again.`;
}

function table({ rows, every }: CostData): HTMLElement {
  const element = h(
    'table',
    { class: 'numbers' },
    captionOf({
      caption: `Every step takes ${range(every, milliseconds(every.median))}`,
      detail: 'with, in brackets, the range of the middle half of the rounds',
    }),
    headOf({
      corner: 'kept',
      columns: ['steps', 'multiply-adds', 'kept steps only', 'time saved'],
    }),
  );
  const body = element.createTBody();
  for (const { share, keptSteps, multiplyAdds, kept, ratio } of rows) {
    const isNoise = ratio.low <= 1 && ratio.high >= 1;
    const cells = [
      String(keptSteps),
      millions(multiplyAdds),
      range(kept, milliseconds(kept.median)),
      isNoise ? 'noise' : percent(savedShare({ kept }, every)).replace('-', '−'),
    ];
    body.append(h('tr', {}, rowHead(percent(share)), ...cells.map((cell) => h('td', {}, cell))));
  }
  return scrollable(element, 'Median time of a batch');
}

const range = ({ low, high }: Quartiles, median: string): string =>
  `${median} (${low.toFixed(2)}–${high.toFixed(2)})`;
