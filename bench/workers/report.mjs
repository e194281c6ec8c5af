// SPDX-License-Identifier: MIT
// The section of docs/performance.md about workers.
export const title = '## Two workers';

const goal = 1.8;
const medianAndLeast = (f) => `${f('median').toFixed(2)} (${f('least').toFixed(2)})`;
const cell = ({ median, least }) => `${median.toFixed(0)} ms (${least.toFixed(0)} ms)`;

/** Writes the section from the figures in bench/workers/figures.json. */
export function workersSection({ engine, machine, version, samples, times }) {
  const gain = (kind) => times.single[kind] / times.shared[kind];
  const ceiling = (kind) => (2 * times.single[kind]) / times.both[kind];
  const met = gain('median') >= goal ? '✓' : '✗';
  return `${title}

Measured by \`npm run bench:workers\`: ${engine}, maskflow ${version},
${machine}.

A pool of one worker and a pool of two take turns to compute four batches of W3. The times include
the copies of inputs and results: median (least) of ${samples} samples. The goal for two workers is to be
${goal} times as fast. "At best" is what two cores of the machine can give: two workers that share
nothing, each with all four batches.

| one worker | two workers | times as fast | goal | at best |
|---|---|---|---|---|
| ${cell(times.single)} | ${cell(times.shared)} | ${medianAndLeast(gain)} | ${goal} ${met} | ${medianAndLeast(ceiling)} |
`;
}
