// SPDX-License-Identifier: MIT
// How fast a model with 100 MB of weights loads, how much memory that takes, and how memory
// develops while it predicts 10,000 rows: the package in dist/, under Node and in Chromium or
// Chrome.
//   --processes=5   new processes of Node for each format
//   --loads=4       loads in each, and on each page
//   --no-browser    Node alone
import { writeFileSync } from 'node:fs';
import { at } from '../scripts/lib/files.mjs';
import { makeFiles, placeOf } from './load/files.mjs';
import { median } from './loop.mjs';
import { mark, megabytes, table } from './report.mjs';
import { calledOn, html, measuring, withPages } from './visits.mjs';

export const options = {
  processes: { type: 'string', default: '5' },
  loads: { type: 'string', default: '4' },
  'no-browser': { type: 'boolean' },
};
export const numbers = { processes: 1, loads: 2 };

/** Measures each format in new processes, with `loads` loads in each. */
async function measureInNode(formats, { processes, loads }, measuredApart) {
  const measureTask = (task, format) => measuredApart('load/node', { task, format, loads });
  const rows = formats.map(({ title: name }) => ({ title: `${name}, by path`, times: [] }));
  for (let i = 0; i < processes; i++)
    for (const [number, row] of rows.entries())
      row.times.push(await measureTask('speed', formats[number]));
  for (const [number, row] of rows.entries())
    row.memory = await measureTask('memory', formats[number]);
  const course = await measureTask('predict', formats[0]);
  return { engine: `Node ${process.versions.node}`, rows, course };
}

/** Headers without which a page cannot read its memory use. */
const headers = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
};

/** Measures the figures of Node in a browser, each on a page of its own. */
async function measureInBrowser(executable, formats, { loads }) {
  writeFileSync(placeOf('index.html'), html('/bench/load/page.mjs'));
  const launching = measuring('--enable-blink-features=ForceEagerMeasureMemory');
  const opening = { executable, folders: [at('.')], serving: { headers }, launching };
  const { engine, result } = await withPages(opening, async ({ browser, urls: [url] }) => {
    const measureTask = (task, format) =>
      calledOn(browser, new URL('build/load/', url).href, task, format, loads);
    const rows = [];
    for (const format of formats) {
      const times = [await measureTask('addresses', format)];
      const memory = await measureTask('memory', format);
      rows.push({ title: `${format.title}, by address`, times, memory });
      const fileTimes = [await measureTask('files', format)];
      rows.push({ title: `${format.title}, as File`, times: fileTimes });
    }
    return { rows, course: await measureTask('predict', formats[0]) };
  });
  return { engine, ...result };
}

export async function measure(values, { browser, busy, facts, measuredApart }) {
  const counts = { processes: Number(values.processes), loads: Number(values.loads) };
  const executable = !values['no-browser'] && (await browser());
  const { formats, bytes: weights } = await makeFiles();
  const runs = [await measureInNode(formats, counts, measuredApart)];
  if (executable) runs.push(await measureInBrowser(executable, formats, counts));
  return { ...facts, weights, busy, runs };
}

export const title = '## Large models';

/** Goals: MB of weights per second, and memory after loading as a multiple of the weights. */
const goals = { speed: 300, memory: 1.2 };
/** Largest system load that counts as idle. */
const quiet = 0.5;

const head = [
  'source',
  'first load, MB/s',
  'later, MB/s',
  'read and copied once, MB/s',
  'wasm memory ÷ weights',
  'process or page ÷ weights',
  'peak ÷ weights',
];

function rowOf({ title: source, times: runs, memory }, weights) {
  const speed = (times) => weights / 1e3 / median(times);
  const first = speed(runs.map(({ load }) => load[0]));
  const later = speed(runs.flatMap(({ load }) => load.slice(1)));
  const judged = (value) => `${value.toFixed(0)} ${mark(value >= goals.speed)}`;
  const copied = speed(runs.flatMap(({ copy }) => copy)).toFixed(0);
  const cells = [source, judged(first), judged(later), copied];
  if (!memory) return [...cells, '', '', ''];
  const share = (bytes) => (bytes === undefined ? '—' : (bytes / weights).toFixed(2));
  const heap = `${share(memory.heap)} ${mark(memory.heap / weights <= goals.memory)}`;
  return [...cells, heap, share(memory.resting), share(memory.peak)];
}

function courseText({ rows, batches, first, last, most, before, grew, milliseconds }) {
  const each = grew.map(({ batch, heap }) => `${megabytes(heap)} MB in batch ${batch}`);
  const later = each.length === 0 ? 'did not grow' : `grew to ${each.join(', ')}`;
  return `\`predict\` of ${rows.toLocaleString('en')} rows in ${batches} batches of 32 (the last is smaller) took ${(milliseconds / 1000).toFixed(1)} s:

- Tensors took ${megabytes(before.bytes)} MB before, ${megabytes(first.bytes)} MB in the first batch, ${megabytes(last.bytes)} MB in the last, and
  ${megabytes(most.bytes)} MB at most. The first batch makes room for the results.
- The wasm memory was ${megabytes(before.heap)} MB before, and ${megabytes(first.heap)} MB in the first batch, which packs the
  matrices. After that it ${later}.`;
}

const runText = ({ engine, rows, course }, weights) => `${engine}:

${table(
  head,
  rows.map((row) => rowOf(row, weights)),
)}

${courseText(course)}
`;

export function section({ machine, version, weights, busy, runs }) {
  const load = `load ${busy.toFixed(1)} before the measurement`;
  const others = busy < quiet ? '' : ` The machine was busy with other work (${load}).`;
  return `\
Measured by \`npm run bench:load\`: maskflow ${version}, ${machine}.${others}

The model has ${megabytes(weights)} MB of weights: an Embedding, two LSTM and four Dense layers. Its files are in
the cache of the system. Speeds are medians, in millions of bytes of weights a second.

- First load: the first one of a process or page. Its code has never run, and memory has to grow.
  Later loads have neither cost.
- Read and copied once: what the machine can do at best. It reads the same bytes in the same way,
  and copies them once into new wasm memory.
- Process: the memory that the system reports beyond what it reported before loading. Garbage is
  collected first, and the wasm memory is included. Peak: the same while the model loaded.
- Page: the memory that the engine reports, without the wasm memory.

The goals are ${goals.speed} MB/s, and wasm memory of ${goals.memory} times the weights after loading.

${runs.map((run) => runText(run, weights)).join('\n')}`;
}
