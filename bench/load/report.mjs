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

/** Of the system's load, what it has when nothing else runs. */
const kQuiet = 0.5;

const mega = (bytes) => (bytes / 1e6).toFixed(1);

const grown = ({ batch, heap }) => `${mega(heap)} MB in batch ${batch}`;

function courseOf({ rows, batches, first, last, most, before, grew, milliseconds }) {
  const later = grew.length === 0 ? 'did not grow' : `grew to ${grew.map(grown).join(', ')}`;
  return `\`predict\` of ${rows.toLocaleString('en')} rows in ${batches} batches of 32 (the last is smaller; ${(milliseconds / 1000).toFixed(1)} s): tensors
took ${mega(before.bytes)} MB before it, ${mega(first.bytes)} MB in the first batch, which makes room for the results, ${mega(last.bytes)} MB in the last, ${mega(most.bytes)} MB at most. The wasm memory was ${mega(before.heap)} MB, ${mega(first.heap)} MB
in the first batch, which packs the matrices, and ${later} after it.`;
}

const table = ({ engine, rows, course }, weights) => `${engine}:

| | first load, MB/s | later, MB/s | read and copied once, MB/s | wasm memory ÷ weights | process or page | its peak |
|---|---|---|---|---|---|---|
${rows.map((row) => rowOf(row, weights)).join('\n')}

${courseOf(course)}
`;

/** From the figures of bench/load/figures.json. */
export function loadSection({ machine, version, weights, busy, runs }) {
  const others =
    busy >= kQuiet
      ? ` The machine was busy with other work (load ${busy.toFixed(1)} before the measurement).`
      : '';
  return `${title}

By \`npm run bench:load\`: maskflow ${version}, ${machine}. ${mega(weights)} MB of weights (an Embedding, two LSTM, four Dense layers) from files that lie in the
system's cache; medians, millions of bytes of weights a second. The first load of a process or page finds code that never ran and memory that has
to grow; later ones do not. Beside them what the machine can do at best: the same bytes read in the same way and copied once into a wasm memory that is new. The goals are
${goals.speed} MB/s, and ${goals.memory} times the weights after loading. Process: what the system says that it has more
than before, garbage collected, wasm memory included; its peak: while it loaded. Page: what the engine says, without the wasm memory.${others}

${runs.map((run) => table(run, weights)).join('\n')}`;
}
