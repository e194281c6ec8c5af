// SPDX-License-Identifier: MIT
// How long a page with an empty cache takes until its first prediction, with the package in dist/.
//   --count=15   visits of each page, in new contexts and again in new browsers
import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { build } from 'vite';
import { at } from '../scripts/lib/files.mjs';
import { recipes } from '../tests/matrix/lib/recipes.js';
import { median } from './loop.mjs';
import { table } from './report.mjs';
import { html, measuredOn, withPages, writeFolder, writeProject } from './visits.mjs';

export const options = { count: { type: 'string', default: '15' } };

/** The marks of a visit, in the order in which they occur. */
const marks = ['evaluated', 'fetched', 'compiled', 'instantiated', 'ready', 'model', 'predicted'];

/**
 * Runs on the page before its program: records times in ms since the start of the navigation, and
 * when the engine has finished each request of the package.
 */
function watch() {
  const times = {};
  const mark = (name) => {
    times[name] = performance.now();
  };
  for (const [name, markName] of [
    ['compile', 'compiled'],
    ['compileStreaming', 'compiled'],
    ['instantiate', 'instantiated'],
  ]) {
    const original = WebAssembly[name];
    WebAssembly[name] = async (...args) => {
      const result = await original.apply(WebAssembly, args);
      mark(markName);
      return result;
    };
  }
  const done = (values) => {
    const ends = performance.getEntriesByType('resource').map(({ responseEnd }) => responseEnd);
    globalThis.measured = { values, times: { ...times, fetched: Math.max(...ends) } };
  };
  globalThis.cold = { mark, done };
}

const watching = `<script>(${watch})()</script>`;
/** The minimal program, which measures the cost of any page with a module script. */
const emptyProgram = "cold.mark('evaluated');\ncold.done([]);\n";

/** Returns a program that makes one prediction of W5 (bench/workloads/inference.mjs) at once. */
const program = (wasmAsFile) => `${
  wasmAsFile ? "import { wasm } from 'maskflow/recurrent/wasm';\n" : ''
}import { layers, ready, Sequential } from 'maskflow/recurrent';
const { mark, done } = globalThis.cold;
mark('evaluated');
await ready(${wasmAsFile ? '{ wasm }' : ''});
mark('ready');
const model = new Sequential([
  layers.embedding({ inputDim: 5000, outputDim: 16, maskZero: true }),
  layers.lstm({ units: 32 }),
]);
mark('model');
const [values] = model.predict([[711, 632, 71, 4999, 0, 0]]).array();
mark('predicted');
done(values);
`;

const script = (path) => `<link rel="modulepreload" href="./dist/${path}">`;
const core = () => readdirSync(at('dist')).find((name) => /^core-[\w-]{8}\.js$/.test(name));

/**
 * The lines of docs/guides/start.md for pages that load the files without a bundler: the wasm in a
 * script, or as a file.
 */
function preloads(wasmAsFile) {
  const wasmFile = './dist/maskflow-recurrent-relaxed.wasm';
  const wasm = wasmAsFile
    ? `${script('recurrent_wasm.js')}<link rel="preload" as="fetch" crossorigin href="${wasmFile}">`
    : script('chunks/recurrent-relaxed.js');
  return [...['recurrent.js', core(), 'chunks/glue.js'].map(script), wasm].join('\n');
}

/** Writes a page that loads dist/ as it is, through an import map. */
function writeModules(folder, head, wasmAsFile = false) {
  const imports = {
    'maskflow/recurrent': './dist/recurrent.js',
    'maskflow/recurrent/wasm': './dist/recurrent_wasm.js',
  };
  const map = `<script type="importmap">${JSON.stringify({ imports })}</script>`;
  writeFolder(folder, {
    'page.js': program(wasmAsFile),
    'index.html': html('./page.js', watching + map + head),
  });
  cpSync(at('dist'), join(folder, 'dist'), { recursive: true });
  return folder;
}

/** Builds a Vite project without configuration. */
async function buildVite(folder, wasmAsFile, head = '') {
  const files = { 'page.js': program(wasmAsFile), 'index.html': html('/page.js', watching + head) };
  const root = writeProject(folder, files);
  await build({ root, configFile: false, logLevel: 'warn' });
  return join(root, 'dist');
}

/** Creates the measured pages: titles, folders, and the number of values that each predicts. */
async function makePages() {
  const folder = (name) => at('build', 'cold', name);
  const head = recipes['Fewer bytes']['head.html'];
  const empty = { 'page.js': emptyProgram, 'index.html': html('./page.js', watching) };
  const pages = {
    'package files, no bundler': writeModules(folder('modules'), ''),
    'package files, preloaded': writeModules(folder('preloaded'), preloads(false)),
    'package files, the wasm as a file, preloaded': writeModules(
      folder('file'),
      preloads(true),
      true,
    ),
    'built by Vite': await buildVite(folder('vite'), false),
    'built by Vite, the wasm as a file': await buildVite(folder('vite-file'), true),
    'built by Vite, the wasm as a file, preloaded': await buildVite(
      folder('vite-preloaded'),
      true,
      head,
    ),
    'an empty module': writeFolder(folder('empty'), empty),
  };
  return Object.entries(pages).map(([title, page]) => ({
    title,
    folder: page,
    units: title === 'an empty module' ? 0 : 32,
    contexts: [],
    browsers: [],
  }));
}

/** Returns the times of one visit in a new context, in ms since the start of the navigation. */
async function visit(browser, { title, units }, url) {
  const context = await browser.createBrowserContext();
  try {
    const tab = await context.newPage();
    // A new window loads the browser's own parts, which would otherwise be measured.
    await pause(1000);
    const { values, times } = await measuredOn(tab, url);
    const isPlausible = values.every((value) => Math.abs(value) > 0 && Math.abs(value) < 1);
    if (values.length !== units || !isPlausible)
      throw new Error(`${title}: no ${units} outputs of an LSTM but ${values}`);
    return times;
  } finally {
    await context.close();
  }
}

/** Visits each page in new contexts of one browser, and in new browsers; pages take turns. */
async function visitAll(pages, count, { browser, open, urls }) {
  for (let round = 0; round < count; round++)
    for (const [i, page] of pages.entries())
      page.contexts.push(await visit(browser, page, urls[i]));
  for (let round = 0; round < count; round++) {
    for (const [i, page] of pages.entries()) {
      const other = await open();
      page.browsers.push(await visit(other, page, urls[i]).finally(() => other.close()));
    }
  }
}

/** Median and least time of each mark that all visits have, in tenths of a millisecond. */
function summarize(visits) {
  const round = (ms) => Math.round(10 * ms) / 10;
  const present = marks.filter((name) => visits.every((times) => name in times));
  const summary = (times) => ({ median: round(median(times)), least: round(Math.min(...times)) });
  return Object.fromEntries(
    present.map((name) => [name, summary(visits.map((times) => times[name]))]),
  );
}

export async function measure({ count: text }, { browser, facts }) {
  const [executable, count, pages] = [await browser(), Number(text), await makePages()];
  const folders = pages.map(({ folder }) => folder);
  const { engine } = await withPages({ executable, folders }, (opened) =>
    visitAll(pages, count, opened),
  );
  const rows = pages.map(({ title: page, contexts, browsers }) => ({
    title: page,
    contexts: summarize(contexts),
    browsers: summarize(browsers),
  }));
  return { engine, ...facts, count, pages: rows };
}

export const title = '## First prediction of a cold page';
/** Goal in ms: the median in new contexts. */
const goal = 100;

const cell = (time) => (time ? `${time.median.toFixed(0)} (${time.least.toFixed(0)})` : '');

function rowOf(page, times) {
  const met = times.predicted && (times.predicted.median <= goal ? ' ✓' : ' ✗');
  const cells = marks.map((mark) => cell(times[mark]));
  return [page, ...cells.slice(0, -1), `${cells.at(-1)}${met ?? ''}`];
}

const tableOf = (pages, kind) =>
  table(
    ['page', ...marks],
    pages.map((page) => rowOf(page.title, page[kind])),
  );

export const section = ({ engine, machine, version, count, pages }) => `\
Measured by \`npm run bench:cold\`: ${engine}, maskflow ${version},
${machine}.

A page with the entry \`maskflow/recurrent\` makes the model of W5 and predicts once. A server on the
same machine sends the files, not compressed, and nothing is in a cache. Times are milliseconds
since the navigation began, median (least) of ${count}:

- evaluated: the script of the page begins
- fetched: all files have arrived
- compiled: the wasm is compiled
- instantiated: the wasm is instantiated
- ready: \`ready()\` is done
- model: the model is made
- predicted: the numbers are in an array

The goal for "predicted" is ${goal} ms. The last row shows what any page with a module script costs.

In new contexts of one browser:

${tableOf(pages, 'contexts')}

In a browser that has just been started:

${tableOf(pages, 'browsers')}

Any page with a module script takes half of that time. The rest is the first run of the core on the
main thread. V8 compiles some 600 functions lazily, each when it is first called, and Embind
registers the functions that JavaScript sees. Node has an option that compiles all functions at
once, but this takes as long.
`;
