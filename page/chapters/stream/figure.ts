// SPDX-License-Identifier: MIT
// The figures of the chapter "stream": the steps with their answers, and the times of steps.
import type { Scene } from '../../shared/chapter.js';
import { lineChart } from '../../shared/chart.js';
import { h } from '../../shared/dom.js';
import { histogram } from '../../shared/histogram.js';
import { count, decimal, gap } from '../../shared/text.js';
import { last, modelOf } from './inputs.js';
import type { Followed, Input } from './read.js';

/** The inputs so far, and the results of a stream that received them. */
export interface Now {
  inputs: Input[];
  followed: Followed;
}

export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2;
}

/** Draws each bracket with the answer of the stream after it. */
export function drawSteps({ inputs, followed }: Now, scene: Scene): void {
  if (modelOf(scene.settings) === 'sensor') {
    scene.put('steps');
    return;
  }
  const cells = inputs.map((input, index) => {
    const closed = (followed.answers[index] ?? 0) > 0.5;
    return h(
      'li',
      { class: closed ? 'cell kept' : 'cell open' },
      String(input),
      h('span', { class: 'word' }, closed ? 'closed' : 'not'),
    );
  });
  scene.put('steps', h('ol', { class: 'tokens', 'aria-label': 'After each bracket' }, ...cells));
}

export function drawChart(now: Now, scene: Scene): void {
  const sensor = modelOf(scene.settings) === 'sensor';
  scene.slot('chart').classList.toggle('pad', sensor);
  scene.put('chart', sensor ? forecasts(now) : verdicts(now));
}

function verdicts({ inputs, followed: { answers } }: Now): HTMLElement {
  const steps = Math.max(8, inputs.length);
  return lineChart({
    label: `Probability of “all closed” after each of ${count(inputs.length, 'step')}: ${answers.map((each) => each.toFixed(2)).join(', ')}.`,
    lines: [
      { name: 'all closed', look: 'kept', points: answers.map((y, index) => [index + 1, y]) },
    ],
    x: [1, steps],
    y: [0, 1],
    xTicks: Array.from({ length: steps }, (_, index) => index + 1).filter(
      (tick) => steps < 13 || tick % 4 === 0,
    ),
    yTicks: [0, 0.5, 1],
    xTitle: 'steps so far',
    yTitle: 'says “all closed”',
    marker: inputs.length,
    height: 200,
  });
}

function forecasts({ inputs, followed: { answers } }: Now): HTMLElement {
  const missing = inputs.flatMap((input, index) =>
    input === null ? [[index - 0.5, index + 0.5] as const] : [],
  );
  const now = answers.at(-1);
  return lineChart({
    label: `Readings of ${count(inputs.length, 'step')}, ${missing.length} of them missing, and after each the forecast for step ${last}: now ${now === undefined ? 'none' : decimal(now, 2)}.`,
    lines: [
      {
        name: 'readings',
        look: 'ghost',
        points: inputs.map((y, index) => [index, y === null ? Number.NaN : Number(y)]),
      },
      {
        name: `for step ${last}`,
        look: 'kept',
        points: answers.map((y, index) => [index, y]),
      },
    ],
    x: [0, last],
    y: [-1.5, 1.5],
    xTicks: [0, 12, 24, 36, last],
    yTicks: [-1.5, 0, 1.5],
    xTitle: 'step',
    yTitle: 'value',
    masked: missing,
    marker: Math.max(0, inputs.length - 1),
    height: 240,
  });
}

export function drawState({ followed: { saved } }: Now, scene: Scene): void {
  if (!saved) {
    scene.put('state');
    return;
  }
  const bytes = new TextEncoder().encode(saved.json).length;
  scene.put(
    'state',
    h(
      'p',
      { class: 'label' },
      `The state after ${count(saved.at, 'step')}: ${bytes} bytes of JSON`,
    ),
    h(
      'pre',
      { class: 'prints state', tabindex: 0, role: 'region', 'aria-label': 'The state as JSON' },
      h('code', {}, saved.json),
    ),
    h(
      'p',
      { class: 'hint' },
      `A second stream read this text and received the ${count(saved.answers.length, 'step')} since then. The largest difference of its answers, including those to each possible next step, is ${gap(saved.gap)}.`,
    ),
  );
}

export function drawLatency({ followed: { times, tick } }: Now, scene: Scene): void {
  if (times.length === 0) {
    scene.put('latency');
    return;
  }
  const note =
    tick >= 0.001
      ? `The clock of this browser ticks every ${Number((tick * 1000).toPrecision(2))} µs, so each value is a mean of many steps on a copy of the stream.`
      : 'Each value is a mean of many steps on a copy of the stream.';
  scene.put(
    'latency',
    histogram({
      title: `Time of a step: ${median(times).toFixed(1)} µs (median of ${count(times.length, 'measurement')})`,
      values: times,
      unit: 'µs',
    }),
    h('p', { class: 'hint' }, note),
  );
}
