// SPDX-License-Identifier: MIT
// The first visit of an app on a slow line: how long until its first prediction, how many requests,
// how many bytes, beside TensorFlow.js and onnxruntime-web.
//   --count=7            visits of each page
//   --bundlers=esbuild   leaves out the other bundlers
//   --chains             prints the requests of each page's first visit
import { copyFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build as esbuild } from 'esbuild';
import { build as vite } from 'vite';
import { at } from '../scripts/lib/files.mjs';
import { median } from './loop.mjs';
import { table } from './report.mjs';
import { copyWasm, onnxModel, onnxProgram } from './visit_onnx.mjs';
import { html, measuredOn, withPages, writeProject } from './visits.mjs';

const model = at('tests', 'fixtures', 'tfjs', 'sequential_lstm');
const row = '[[3, 5, 1, 0, 0]]';
const done = (values) => `globalThis.measured = { values: ${values}, time: performance.now() };\n`;

const ours = (entry, address, settings = '') => `import { loadModel } from '${entry}';
const model = await loadModel('./${address}'${settings});
${done(`Array.from(model.predict(${row}).data())`)}`;

const tfjsModel = `const model = await tf.loadLayersModel('./model.json');
${done(`Array.from(model.predict(tf.tensor2d(${row})).dataSync())`)}`;

/** Programs that train a model for one step. Their numbers are the loss. */
const training = {
  '@tensorflow/tfjs, one step of fit': `import * as tf from '@tensorflow/tfjs';
await tf.setBackend('cpu');
const model = tf.sequential();
model.add(tf.layers.embedding({ inputDim: 10, outputDim: 4, inputLength: 5 }));
model.add(tf.layers.lstm({ units: 8 }));
model.add(tf.layers.dense({ units: 1 }));
model.compile({ optimizer: 'adam', loss: 'meanSquaredError' });
const { history } = await model.fit(tf.tensor2d(${row}), tf.tensor2d([[1]]), { verbose: 0 });
${done('history.loss')}`,
  'maskflow/train, one step of fit': `import { layers, ready, Sequential } from 'maskflow/train';
await ready({ seed: 1 });
const model = new Sequential([
  layers.embedding({ inputDim: 10, outputDim: 4 }),
  layers.lstm({ units: 8 }),
  layers.dense({ units: 1 }),
]);
model.compile({ optimizer: 'adam', loss: 'mse' });
const { history } = await model.fit(${row}, [[1]], { verbose: 0 });
${done('history.loss')}`,
};

/** Programs by title. Those that load a model predict the first row of its fixture. */
const programs = {
  'tfjs-core, tfjs-layers, tfjs-backend-cpu': `import * as core from '@tensorflow/tfjs-core';
import '@tensorflow/tfjs-backend-cpu';
import { loadLayersModel } from '@tensorflow/tfjs-layers';
const tf = { ...core, loadLayersModel };
${tfjsModel}`,
  '@tensorflow/tfjs': `import * as tf from '@tensorflow/tfjs';
await tf.setBackend('cpu');
${tfjsModel}`,
  'onnxruntime-web': `${onnxProgram(JSON.parse(row)[0])}${done('Array.from(y.data)')}`,
  'maskflow/recurrent': ours('maskflow/recurrent', 'model.json'),
  maskflow: ours('maskflow', 'model.json'),
  'maskflow/recurrent, a .keras file': ours('maskflow/recurrent', 'model.keras'),
  'maskflow/recurrent, cached model': ours('maskflow/recurrent', 'model.json', ', { cache: true }'),
  'maskflow, only padSequences': `import { padSequences } from 'maskflow';
${done('Array.from(padSequences([[1], [2, 3]]).data())')}`,
  ...training,
};

const builders = {
  async esbuild(project, out) {
    await esbuild({
      entryPoints: [join(project, 'main.js')],
      outdir: out,
      bundle: true,
      splitting: true,
      format: 'esm',
      minify: true,
      target: 'es2022',
      logLevel: 'error',
    });
    copyFileSync(join(project, 'index.html'), join(out, 'index.html'));
  },
  async vite(project, out) {
    const build = { outDir: out, target: 'es2022' };
    await vite({ root: project, base: './', configFile: false, logLevel: 'error', build });
  },
};

export const bundlers = Object.keys(builders);

export const options = {
  count: { type: 'string', default: '7' },
  bundlers: { type: 'string', default: bundlers.join() },
  chains: { type: 'boolean' },
};

const sum = (values) => values.reduce((a, b) => a + b, 0);

function sizeOf(out) {
  const entries = readdirSync(out, { recursive: true, withFileTypes: true });
  const files = entries.filter((each) => each.isFile());
  const sizes = files.map(
    ({ parentPath, path, name }) => statSync(join(parentPath ?? path, name)).size,
  );
  return { files: files.length, bytes: sum(sizes) };
}

const predicts = (title) => !(title in training) && !title.includes('only padSequences');

/** Builds a page; returns its folder, and the files and bytes of the app without the model. */
export async function makePage(title, bundler) {
  const folder = at('build', 'visit', `${bundler}-${Object.keys(programs).indexOf(title)}`);
  const files = { 'main.js': programs[title], 'index.html': html('./main.js') };
  const project = writeProject(folder, files);
  const out = join(project, 'out');
  await builders[bundler](project, out);
  if (title === 'onnxruntime-web') copyWasm(out);
  const output = sizeOf(out);
  for (const name of ['model.json', 'weights.bin'])
    copyFileSync(join(model, name), join(out, name));
  const { loadModel } = await import(at('dist', 'index.js'));
  const loaded = await loadModel(join(model, 'model.json'));
  writeFileSync(join(out, 'model.keras'), await loaded.save());
  writeFileSync(join(out, 'model.onnx'), onnxModel(loaded));
  const expected = predicts(title) ? [...loaded.predict(JSON.parse(row)).data()] : null;
  return { title, bundler, folder: out, output, expected, first: [], second: [] };
}

/** Slow 4G, as Lighthouse emulates it: 150 ms for each request, 1.6 Mbit/s. */
const line = { offline: false, latency: 150, downloadThroughput: 2e5, uploadThroughput: 9.6e4 };

/**
 * Returns the longest chain of requests: one request is a link of another's chain if it began after
 * that had ended. The browser fetches what a script imports at once.
 */
function depthOf(requests) {
  const depths = new Map();
  for (const request of [...requests].sort((a, b) => a.begin - b.begin)) {
    const before = requests.filter(({ end }) => end <= request.begin);
    depths.set(request, 1 + Math.max(0, ...before.map((each) => depths.get(each) ?? 0)));
  }
  return Math.max(0, ...depths.values());
}

/** Records the requests of a tab: begin and end in ms, and bytes on the line. */
function recordRequests(session) {
  const requests = new Map();
  session.on('Network.requestWillBeSent', ({ requestId, request, timestamp }) => {
    if (/^http/.test(request.url))
      requests.set(requestId, { url: request.url, begin: timestamp * 1000, bytes: 0 });
  });
  session.on('Network.loadingFinished', ({ requestId, timestamp, encodedDataLength }) => {
    const loaded = { end: timestamp * 1000, bytes: encodedDataLength };
    Object.assign(requests.get(requestId) ?? {}, loaded);
  });
  return () => [...requests.values()].filter(({ end }) => end !== undefined);
}

/** Opens a page in a context; returns what its prediction took. */
async function visit(context, { title, expected }, url) {
  const tab = await context.newPage();
  try {
    const session = await tab.createCDPSession();
    await session.send('Network.enable');
    await session.send('Network.emulateNetworkConditions', line);
    const requests = recordRequests(session);
    const { values, time } = await measuredOn(tab, url);
    if (values.length === 0 || !values.every(Number.isFinite))
      throw new Error(`${title}: no numbers but ${values}`);
    if (expected?.some((value, i) => Math.abs(value - values[i]) > 1e-5))
      throw new Error(`${title}: ${values} in place of ${expected}`);
    const fetched = requests();
    const bytes = sum(fetched.map((each) => each.bytes));
    return { values, time, requests: fetched.length, depth: depthOf(fetched), bytes, fetched };
  } finally {
    await tab.close();
  }
}

/**
 * Visits all pages `count` times, in turns: each in a new context, and once more in the same.
 * Returns the name of the engine.
 */
export async function visitAll(executable, pages, count) {
  const serving = { compress: true, headers: { 'cache-control': 'max-age=3600' } };
  const folders = pages.map(({ folder }) => folder);
  const { engine } = await withPages({ executable, folders, serving }, async (opened) => {
    for (let round = 0; round < count; round++) {
      for (const [i, page] of pages.entries()) {
        const context = await opened.browser.createBrowserContext();
        page.first.push(await visit(context, page, opened.urls[i]));
        page.second.push(await visit(context, page, opened.urls[i]));
        await context.close();
      }
    }
  });
  return engine;
}

function printChain({ title: page, bundler, first: [{ fetched }] }) {
  console.log(`${page} (${bundler})`);
  const start = Math.min(...fetched.map(({ begin }) => begin));
  for (const { url, begin, end, bytes } of fetched) {
    const times = [begin, end].map((time) => String(Math.round(time - start)).padStart(6));
    console.log(`${times.join('')}  ${String(bytes).padStart(7)}  ${new URL(url).pathname}`);
  }
}

function summary(visits) {
  const of = (name) => visits.map((each) => each[name]);
  const medians = ['requests', 'depth', 'bytes'].map((name) => [name, median(of(name))]);
  const time = median(of('time'));
  return { time, least: Math.min(...of('time')), ...Object.fromEntries(medians) };
}

export async function measure(values, { browser, installPeers, facts }) {
  const [executable, count] = [await browser(), Number(values.count)];
  await installPeers({ native: false });
  const pages = [];
  for (const bundler of values.bundlers.split(','))
    for (const name of Object.keys(programs)) pages.push(await makePage(name, bundler));
  const engine = await visitAll(executable, pages, count);
  if (values.chains) pages.forEach(printChain);
  const rows = pages.map(({ title: page, bundler, output, first, second }) => ({
    title: page,
    bundler,
    output,
    first: summary(first),
    second: summary(second),
  }));
  return { engine, ...facts, count, pages: rows };
}

export const title = '## First visit on a slow line';

const head = [
  'page',
  'first visit, s',
  'second, s',
  'requests',
  'chain',
  'kB fetched',
  'files and kB of the app',
];
const seconds = (time) => (time / 1000).toFixed(2);

const rowOf = ({ title: page, output, first, second }) => [
  page,
  `${seconds(first.time)} (${seconds(first.least)})`,
  seconds(second.time),
  first.requests,
  first.depth,
  (first.bytes / 1000).toFixed(0),
  `${output.files}, ${(output.bytes / 1000).toFixed(0)}`,
];

const tableOf = (bundler, pages) => `Built by ${bundler}:

${table(head, pages.filter((page) => page.bundler === bundler).map(rowOf))}`;

export const section = ({ engine, machine, version, count, pages }) => `\
Measured by \`npm run bench:visit\`: ${engine}, maskflow ${version},
${machine}.

A page loads an LSTM with its embedding that TensorFlow.js saved, and predicts one row;
onnxruntime-web has the same model as ONNX, and all pages give the same numbers. Chromium emulates
slow 4G: 150 ms for each request, 1.6 Mbit/s; files are compressed with Brotli. Times are seconds
from the navigation to the numbers in an array, median (least) of ${count} visits in turns, with an
empty cache and once more with what the first visit left there. "Chain" is the longest row of
requests of which each began after the one before had ended, the page itself included.

${[...new Set(pages.map(({ bundler }) => bundler))].map((bundler) => tableOf(bundler, pages)).join('\n\n')}
`;
