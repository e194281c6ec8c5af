// SPDX-License-Identifier: MIT
import { Advice, type Chapter, type Scene } from '../../shared/chapter.js';
import { lineChart } from '../../shared/chart.js';
import { find, h } from '../../shared/dom.js';
import { captionOf, headOf, rowHead, scrollable } from '../../shared/grid.js';
import { program } from '../../shared/program.js';
import { runButtons } from '../../shared/runs.js';
import { count } from '../../shared/text.js';
import type { CostData, CostRow } from './read.js';
import { comparison, millions, milliseconds, percent, times } from './words.js';

const kept = {
  end: 't < steps * share',
  start: 't >= steps - steps * share',
  holes: '(t * 37) % steps < steps * share',
};

export const cost: Chapter<CostData> = {
  id: 'cost',
  waits: true,
  invites: 'Answer the question, or press Measure: it takes about a second.',
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

  controls({ section, settings }) {
    const share = settings.integer('share', 10, 100);
    find('#cost-share', section).setAttribute('aria-valuetext', `${share} % of the steps kept`);
  },

  start(scene) {
    runButtons(scene);
  },

  shown(round, { put, settings }) {
    const rounds = settings.choice('rounds', '9', '25', '99');
    put('progress', `round ${round} of ${rounds}`);
  },

  draw(data, scene) {
    const chosen = rowOf(data, scene);
    scene.put('progress', `${count(data.rounds, 'round')} measured`);
    scene.put('share', `A batch with ${percent(chosen.share)} of its steps kept`);
    scene.put('answers', ...answers(chosen));
    scene.put('chart', chart(data, chosen));
    scene.put('machine', machine(data));
    scene.put('table', table(data));
  },

  summarize(data, scene) {
    const { share, kept, every, multiplyAdds } = rowOf(data, scene);
    const full = data.rows[0]?.multiplyAdds ?? Number.NaN;
    return `With ${percent(share)} of the steps kept, ${comparison(kept, every)} There are ${times(full / multiplyAdds)} fewer multiply-adds.`.replace(
      'There are 1 times fewer multiply-adds.',
      'There are as many multiply-adds.',
    );
  },

  judge(data) {
    const half = data.rows.find(({ share }) => Math.abs(share - 0.5) < 0.06);
    if (!half) return undefined;
    const saved = 1 - half.kept.median / half.every.median;
    const right =
      saved < 0.1 ? 'nothing' : saved < 0.35 ? 'little' : saved < 0.65 ? 'half' : 'most';
    const effect =
      saved < 0 ? `it took ${percent(-saved)} longer` : `${percent(saved)} of the time was saved`;
    return {
      right,
      because: `With ${percent(half.share)} of the steps kept, ${effect}: ${milliseconds(half.kept.median)} instead of ${milliseconds(half.every.median)}.`,
    };
  },
};

/** Returns the row nearest to the slider's share. */
function rowOf({ rows }: CostData, { settings }: Scene): CostRow {
  const target = (settings.integer('share', 10, 100) ?? 50) / 100;
  const away = ({ share }: CostRow) => Math.abs(share - target);
  return rows.reduce((best, row) => (away(row) < away(best) ? row : best));
}

const answers = ({ kept, every }: CostRow): HTMLElement[] => [
  h('dt', {}, h('span', { class: 'swatch kept' }), 'kept steps only'),
  h('dd', { class: 'kept' }, h('strong', {}, milliseconds(kept.median))),
  h('dt', {}, h('span', { class: 'swatch alarm' }), 'every step'),
  h('dd', { class: 'alarm' }, h('strong', {}, milliseconds(every.median))),
];

function chart({ rows }: CostData, chosen: CostRow): HTMLElement {
  const line = (of: (row: CostRow) => number) =>
    rows.map((row) => [Math.round(row.share * 100), of(row)] as const);
  const most = Math.max(...rows.flatMap(({ kept, every }) => [kept.median, every.median]));
  const full = rows[0];
  const work = ({ multiplyAdds }: CostRow) =>
    full ? (full.kept.median * multiplyAdds) / full.multiplyAdds : Number.NaN;
  return lineChart({
    label: `Milliseconds for a batch with 100 down to 10 per cent of its steps kept: with the kept steps only, from ${milliseconds(full?.kept.median ?? 0)} to ${milliseconds(rows.at(-1)?.kept.median ?? 0)}; with every step, from ${milliseconds(full?.every.median ?? 0)} to ${milliseconds(rows.at(-1)?.every.median ?? 0)}.`,
    lines: [
      { name: 'every step', look: 'alarm', points: line(({ every }) => every.median) },
      { name: 'kept steps', look: 'kept', points: line(({ kept }) => kept.median) },
      { name: 'multiply-adds', look: 'ghost', points: line(work) },
    ],
    x: [100, 10],
    y: [0, niceTop(most)],
    xTicks: [100, 80, 60, 40, 20],
    yTicks: [0, niceTop(most) / 2, niceTop(most)],
    xTitle: 'per cent of the steps kept',
    yTitle: 'ms per batch',
    marker: Math.round(chosen.share * 100),
  });
}

/** Returns a number with few digits that is at least `most`. */
function niceTop(most: number): number {
  const scale = 10 ** Math.floor(Math.log10(most || 1));
  const step = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10].find((each) => each * scale >= most) ?? 10;
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
  return `Medians of ${count(rounds, 'round')} in ${engine}${cores}, WebAssembly variant “${variant}”; x is [${shape.join(', ')}]. “Every step” is the same code with nothing masked.${clock} Other programs on the machine disturb the measurement: measure again.`;
}

function table({ rows }: CostData): HTMLElement {
  const element = h(
    'table',
    { class: 'numbers' },
    captionOf({
      caption: 'Median time of a batch',
      detail: 'and, in brackets, the range of the middle half of the rounds',
    }),
    headOf({
      corner: 'kept',
      columns: ['steps', 'multiply-adds', 'kept steps only', 'every step', 'times faster'],
    }),
  );
  const body = element.createTBody();
  const range = ({ median, low, high }: CostRow['kept']) =>
    `${milliseconds(median)} (${low.toFixed(2)}–${high.toFixed(2)})`;
  for (const { share, keptSteps, multiplyAdds, kept, every } of rows) {
    const cells = [
      String(keptSteps),
      millions(multiplyAdds),
      range(kept),
      range(every),
      (every.median / kept.median).toFixed(2),
    ];
    body.append(h('tr', {}, rowHead(percent(share)), ...cells.map((cell) => h('td', {}, cell))));
  }
  return scrollable(element, 'Median time of a batch');
}
