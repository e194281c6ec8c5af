// SPDX-License-Identifier: MIT
// Measures how much faster a second worker makes predictions, with the package in dist/. Writes
// bench/workers/figures.json and its section of docs/performance.md. Needs two idle cores.
//   --count=41   samples
//   --dry        prints the section and writes nothing
import { machine } from '../bench/machine.mjs';
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { withSection } from '../bench/page_section.mjs';
import { measureWorkers } from '../bench/workers/measure.mjs';
import { title, workersSection } from '../bench/workers/report.mjs';
import { at } from './lib/files.mjs';
import { Failure, main } from './lib/process.mjs';

await main(async () => {
  const options = { count: { type: 'string', default: '41' }, dry: { type: 'boolean' } };
  const { values } = parseArgs({ options });
  const samples = Number(values.count);
  if (!(samples >= 1)) throw new Failure(`--count=${values.count} has to be a number from 1 up`);
  const times = await measureWorkers(samples);
  const { version } = JSON.parse(readFileSync(at('package.json'), 'utf8'));
  const engine = `Node ${process.versions.node}`;
  const figures = { engine, machine, version, samples, times };
  console.log(workersSection(figures));
  if (values.dry) return;
  writeFileSync(at('bench', 'workers', 'figures.json'), `${JSON.stringify(figures, null, 2)}\n`);
  const page = at('docs', 'performance.md');
  const text = withSection(readFileSync(page, 'utf8'), title, workersSection(figures));
  writeFileSync(page, text);
});
