// SPDX-License-Identifier: MIT
// Compares the package in dist/ with onnxruntime-web, TensorFlow.js and, under Node,
// onnxruntime-node, with the same weights and inputs.
//   --only=W1,W2   some workloads (bench/workloads/inference.mjs); otherwise all
//   --node=PATH    runs under this Node; can be repeated
//   --browser      also measures W1 to W3 on a page (Chromium or Chrome)
//   --no-native    leaves out onnxruntime-node, which is large; also left out, with the reason, where it
//                  cannot be installed
//   --json=FILE    file for the figures
// A run of all workloads with --browser writes docs/performance.md.
import { writeFileSync } from 'node:fs';
import { build } from 'esbuild';
import { machine } from '../scripts/lib/facts.mjs';
import { at } from '../scripts/lib/files.mjs';
import { withLastSections } from '../scripts/lib/measured.mjs';
import { run } from '../scripts/lib/process.mjs';
import * as cold from './cold.mjs';
import * as load from './load.mjs';
import { performancePage } from './peers/report.mjs';
import * as threads from './threads.mjs';
import * as train from './train.mjs';
import * as visit from './visit.mjs';
import { calledOn, html, measuring, withPages, writeFolder } from './visits.mjs';

export const options = {
  only: { type: 'string' },
  node: { type: 'string', multiple: true, default: [process.execPath] },
  browser: { type: 'boolean' },
  'no-native': { type: 'boolean' },
  json: { type: 'string' },
};

/** Runs the comparison on a page; by default the workloads for which visitors of a page wait. */
async function measureInBrowser(executable, ids = ['W1', 'W2', 'W3']) {
  writeFolder(at('build', 'peers-page'), { 'index.html': html('page.js') });
  await build({
    entryPoints: [at('bench', 'peers', 'page.mjs')],
    outfile: at('build', 'peers-page', 'page.js'),
    bundle: true,
    absWorkingDir: at('bench', 'peers'),
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    alias: { 'onnxruntime-web': 'onnxruntime-web/wasm' },
    // The package is served unbundled, with its chunks beside it.
    external: ['../../dist/index.js'],
    logLevel: 'error',
  });
  const opening = { executable, folders: [at('.')], launching: measuring() };
  const { engine, result } = await withPages(opening, ({ browser, urls: [url], engine: name }) => {
    console.log(name);
    return calledOn(browser, new URL('build/peers-page/', url).href, ids);
  });
  const absent = { 'onnxruntime-node': 'a page cannot run machine code' };
  return { engine, machine, ...result, absent };
}

export async function measure(values, { browser, installPeers, measuredApart }) {
  const isNative = !values['no-native'];
  const ids = values.only?.split(',');
  await installPeers({ native: isNative });
  const runs = [];
  for (const node of values.node)
    runs.push(await measuredApart('peers/node', { ids, isNative }, node));
  if (values.browser) runs.push(await measureInBrowser(await browser(), ids));
  if (values.json) writeFileSync(values.json, JSON.stringify(runs, null, 1));
  if (ids || !values.browser || values.dry) return;
  const page = withLastSections(performancePage(runs), { threads, cold, load, train, visit });
  writeFileSync(at('docs', 'performance.md'), page);
  await run('node', [at('bench', 'peers', 'chart.mjs'), '--write']);
}
