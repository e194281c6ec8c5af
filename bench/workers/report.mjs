// SPDX-License-Identifier: MIT
// The section of docs/performance.md about workers.
export const title = '## Two workers';

const goal = 1.8;
const both = (f) => `${f('median').toFixed(2)} (${f('least').toFixed(2)})`;
const cell = ({ median, least }) => `${median.toFixed(0)} ms (${least.toFixed(0)} ms)`;

/** From the figures of bench/workers/figures.json. */
export function workersSection({ engine, machine, version, samples, times }) {
  const gain = (kind) => times.single[kind] / times.shared[kind];
  const ceiling = (kind) => (2 * times.single[kind]) / times.both[kind];
  const met = gain('median') >= goal ? '✓' : '✗';
  return `${title}

By \`npm run bench:workers\`: ${engine}, maskflow ${version}, ${machine}. Four batches of W3 by a pool of one worker and of two, copies of inputs and
results included, in turns; median (least) of ${samples}. The goal is ${goal} times as fast. What two cores of the machine give at best: two
workers that know nothing of each other, each with all four batches.

| one worker | two workers | times as fast | goal | at best |
|---|---|---|---|---|
| ${cell(times.single)} | ${cell(times.shared)} | ${both(gain)} | ${goal} ${met} | ${both(ceiling)} |
`;
}
