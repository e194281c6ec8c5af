// SPDX-License-Identifier: MIT
// Measures how fast a model with 100 MB of weights loads, how much memory that takes, and how
// memory develops while it predicts 10,000 rows: the package in dist/, under Node and in Chromium
// or Chrome. Writes bench/load/figures.json and its section of docs/performance.md.
//   --processes=5   new processes of Node for each format
//   --loads=4       loads in each, and on each page
//   --no-browser    Node alone
//   --dry           prints the section and writes nothing
import { readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { measureInBrowser } from '../../bench/load/browser.mjs';
import { makeFiles } from '../../bench/load/model.mjs';
import { measureInNode } from '../../bench/load/processes.mjs';
import { loadSection, title } from '../../bench/load/report.mjs';
import { machine } from '../../bench/machine.mjs';
import { at } from '../lib/files.mjs';
import { writeSection } from '../lib/measured.mjs';
import { Failure, main } from '../lib/process.mjs';
import { findBrowser } from '../setup/browser.mjs';

function parse() {
  const { values } = parseArgs({
    options: {
      processes: { type: 'string', default: '5' },
      loads: { type: 'string', default: '4' },
      'no-browser': { type: 'boolean' },
      dry: { type: 'boolean' },
    },
  });
  const processes = Number(values.processes);
  const loads = Number(values.loads);
  if (!(processes >= 1) || !(loads >= 2)) {
    throw new Failure('--processes has to be a number from 1 up, --loads one from 2 up');
  }
  return { processes, loads, browser: !values['no-browser'], dry: values.dry };
}

await main(async () => {
  const { processes, loads, browser, dry } = parse();
  const [busy] = loadavg();
  const weights = await makeFiles();
  const runs = [await measureInNode(processes, loads)];
  if (browser) {
    const path = await findBrowser({});
    if (path === 'none') throw new Failure('no browser to measure in; --no-browser leaves it out');
    runs.push(await measureInBrowser(path, loads));
  }
  const { version } = JSON.parse(readFileSync(at('package.json'), 'utf8'));
  const figures = { machine, version, weights, busy, runs };
  const section = loadSection(figures);
  console.log(section);
  if (!dry) writeSection('load', { title, section, figures });
});
