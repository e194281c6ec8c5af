// SPDX-License-Identifier: MIT
// The section of docs/performance.md about large models.
import { median } from '../samples.mjs';

export const title = '## Large models';

/** MB of weights a second, and what memory may hold after loading, in times of the weights. */
const goals = { speed: 300, memory: 1.2 };

const sign = (met) => (met ? '✓' : '✗');
const times = (bytes, weights) => (bytes === undefined ? '—' : (bytes / weights).toFixed(2));

/** Millions of bytes a second. */
const speed = (bytes, milliseconds) => bytes / 1e3 / milliseconds;

/** From the lists of times of each process or page: first loads, later ones, and copies. */
export function speedsOf({ times: runs }, weights) {
  const rest = runs.flatMap(({ load }) => load.slice(1));
  return {
    first: speed(weights, median(runs.map(({ load }) => load[0]))),
    later: speed(weights, median(rest)),
    copy: speed(weights, median(runs.flatMap(({ copy }) => copy))),
  };
}

function rowOf(row, weights) {
  const { first, later, copy } = speedsOf(row, weights);
  const { memory } = row;
  const resting = memory?.heap / weights;
  return `| ${[
    row.title,
    `${first.toFixed(0)} ${sign(first >= goals.speed)}`,
    `${later.toFixed(0)} ${sign(later >= goals.speed)}`,
    copy.toFixed(0),
    memory ? `${resting.toFixed(2)} ${sign(resting <= goals.memory)}` : '',
    memory ? times(memory.resting, weights) : '',
    memory ? times(memory.peak, weights) : '',
  ].join(' | ')} |`;
}

const mega = (bytes) => (bytes / 1e6).toFixed(1);

function courseOf({ rows, batches, first, last, most, before, milliseconds }) {
  return `\`predict\` of ${rows.toLocaleString('en')} rows in ${batches} batches (${(milliseconds / 1000).toFixed(1)} s): ${mega(before.bytes)} MB of
tensors before it, ${mega(first.bytes)} MB at the end of the first batch, ${mega(last.bytes)} MB at that of the last, ${mega(most.bytes)} MB at most; the
wasm memory ${mega(before.heap)} MB, ${mega(first.heap)} MB, ${mega(last.heap)} MB and ${mega(most.heap)} MB.`;
}

const table = ({ engine, rows, course }, weights) => `${engine}:

| | first load, MB/s | later, MB/s | read and copied once, MB/s | wasm memory ÷ weights | process or page | its peak |
|---|---|---|---|---|---|---|
${rows.map((row) => rowOf(row, weights)).join('\n')}

${courseOf(course)}
`;

/** From the figures of bench/load/figures.json. */
export function loadSection({ machine, version, weights, runs }) {
  return `${title}

By \`npm run bench:load\`: maskflow ${version}, ${machine}. ${mega(weights)} MB of weights (an Embedding, two LSTM, four Dense layers) from files that lie in the
system's cache; medians, millions of bytes of weights a second. The first load of a process or page finds code that never ran and memory that has
to grow; later ones do not. Beside them what the machine can do at best: the same bytes read in the same way and copied once into a wasm memory that is new. The goals are
${goals.speed} MB/s, and ${goals.memory} times the weights after loading. Process or page: what it has more than before, collected; its peak: while it loaded.

${runs.map((run) => table(run, weights)).join('\n')}`;
}
