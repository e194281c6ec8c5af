// SPDX-License-Identifier: MIT
// The section of docs/performance.md about large models.
import { median } from '../samples.mjs';

export const title = '## Large models';

/** Goals: MB of weights per second, and memory after loading as a multiple of the weights. */
const goals = { speed: 300, memory: 1.2 };

const sign = (met) => (met ? '✓' : '✗');
const times = (bytes, weights) => (bytes === undefined ? '—' : (bytes / weights).toFixed(2));

/** Returns the speed in millions of bytes per second. */
const speed = (bytes, milliseconds) => bytes / 1e3 / milliseconds;

/**
 * Returns the speeds of first loads, later loads and copies, from the times of each process or
 * page.
 */
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

/** Largest system load that counts as idle. */
const kQuiet = 0.5;

const mega = (bytes) => (bytes / 1e6).toFixed(1);

const grown = ({ batch, heap }) => `${mega(heap)} MB in batch ${batch}`;

function courseOf({ rows, batches, first, last, most, before, grew, milliseconds }) {
  const later = grew.length === 0 ? 'did not grow' : `grew to ${grew.map(grown).join(', ')}`;
  return `\`predict\` of ${rows.toLocaleString('en')} rows in ${batches} batches of 32 (the last is smaller) took ${(milliseconds / 1000).toFixed(1)} s:

- Tensors took ${mega(before.bytes)} MB before, ${mega(first.bytes)} MB in the first batch, ${mega(last.bytes)} MB in the last, and
  ${mega(most.bytes)} MB at most. The first batch makes room for the results.
- The wasm memory was ${mega(before.heap)} MB before, and ${mega(first.heap)} MB in the first batch, which packs the
  matrices. After that it ${later}.`;
}

const table = ({ engine, rows, course }, weights) => `${engine}:

| source | first load, MB/s | later, MB/s | read and copied once, MB/s | wasm memory ÷ weights | process or page ÷ weights | peak ÷ weights |
|---|---|---|---|---|---|---|
${rows.map((row) => rowOf(row, weights)).join('\n')}

${courseOf(course)}
`;

/** Returns the section from the figures of bench/load/figures.json. */
export function loadSection({ machine, version, weights, busy, runs }) {
  const others =
    busy >= kQuiet
      ? ` The machine was busy with other work (load ${busy.toFixed(1)} before the measurement).`
      : '';
  return `${title}

Measured by \`npm run bench:load\`: maskflow ${version}, ${machine}.${others}

The model has ${mega(weights)} MB of weights: an Embedding, two LSTM and four Dense layers. Its files are in
the cache of the system. Speeds are medians, in millions of bytes of weights a second.

- First load: the first one of a process or page. Its code has never run, and memory has to grow.
  Later loads have neither cost.
- Read and copied once: what the machine can do at best. It reads the same bytes in the same way,
  and copies them once into new wasm memory.
- Process: the memory that the system reports beyond what it reported before loading. Garbage is
  collected first, and the wasm memory is included. Peak: the same while the model loaded.
- Page: the memory that the engine reports, without the wasm memory.

The goals are ${goals.speed} MB/s, and wasm memory of ${goals.memory} times the weights after loading.

${runs.map((run) => table(run, weights)).join('\n')}`;
}
