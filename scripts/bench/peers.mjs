// SPDX-License-Identifier: MIT
// Compares the package in dist/ with onnxruntime-web, TensorFlow.js and, under Node,
// onnxruntime-node, with the same weights and inputs.
//   --only=W1,W2   some workloads (bench/peers/workloads.mjs); otherwise all
//   --node=PATH    runs under this Node; can be repeated
//   --browser      also measures W1 to W3 on a page (Chromium or Chrome)
//   --no-native    leaves out onnxruntime-node, which is large; also left out, with the reason, where it
//                  cannot be installed
//   --json=FILE    file for the figures
// A run of all workloads with --browser writes docs/performance.md.
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import * as cold from '../../bench/cold/report.mjs';
import { performancePage } from '../../bench/peers/report.mjs';
import * as load from '../../bench/load/report.mjs';
import * as training from '../../bench/train/report.mjs';
import * as threads from '../../bench/threads/report.mjs';
import { at, readIfThere } from '../lib/files.mjs';
import { measuredApart, withSection } from '../lib/measured.mjs';
import { installPeers } from '../lib/peers.mjs';
import { Failure, main, run } from '../lib/process.mjs';
import { step } from '../lib/steps.mjs';
import { findBrowser } from '../setup/browser.mjs';

function parse() {
  const { values } = parseArgs({
    options: {
      only: { type: 'string' },
      node: { type: 'string', multiple: true, default: [process.execPath] },
      browser: { type: 'boolean' },
      'no-native': { type: 'boolean' },
      json: { type: 'string' },
    },
  });
  return { ...values, native: !values['no-native'] };
}

async function measuredInBrowser(only) {
  const path = await findBrowser({});
  if (path === 'none') throw new Failure('no browser to measure in');
  const { measureInBrowser } = await import('../../bench/peers/browser.mjs');
  return measureInBrowser(path, only?.split(','));
}

/** Adds the sections that other commands write, with their last results. */
function withOtherSections(page) {
  const sections = [
    ['threads', threads.title, threads.threadsSection],
    ['cold', cold.title, cold.coldSection],
    ['load', load.title, load.loadSection],
    ['train', training.title, training.trainingSection],
  ];
  return sections.reduce((text, [folder, title, section]) => {
    const figures = readIfThere(at('bench', folder, 'figures.json'));
    return figures ? withSection(text, title, section(JSON.parse(figures))) : text;
  }, page);
}

await main(async () => {
  const options = parse();
  await step('peers', () => installPeers(options));
  const args = [options.only ?? '', ...(options.native ? ['native'] : [])];
  const runs = [];
  for (const node of options.node) runs.push(await measuredApart('peers', { node, args }));
  if (options.browser) runs.push(await measuredInBrowser(options.only));
  if (options.json) writeFileSync(options.json, JSON.stringify(runs, null, 1));
  if (!options.only && options.browser) {
    writeFileSync(at('docs', 'performance.md'), withOtherSections(performancePage(runs)));
    await run('node', [at('scripts', 'docs', 'performance_chart.mjs'), '--write']);
  }
});
