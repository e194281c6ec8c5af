// SPDX-License-Identifier: MIT
// Measures two threads and two workers, compared with one thread and with onnxruntime. Needs two
// idle cores.
//   --node=PATH     a Node with relaxed SIMD; default: this one
//   --only=W2,T1    some workloads; otherwise all
//   --dry           prints the section and writes nothing
// A run of all workloads writes the figures beside the measurement, and its section of
// docs/performance.md.
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { withSection } from '../bench/page_section.mjs';
import { threadsSection, title } from '../bench/threads/report.mjs';
import { at } from './lib/files.mjs';
import { installPeers } from './lib/peers.mjs';
import { Failure, main, run } from './lib/process.mjs';
import { relaxedFlag } from './lib/relaxed-flag.mjs';
import { step } from './lib/steps.mjs';

/** Runs the measurement in a process, alone or beside a busy program. */
async function measured(node, only, ...busy) {
  const out = at('build', 'threads.json');
  const args = [at('bench', 'threads', 'main.mjs'), out, only ?? '', ...busy];
  if ((await run(node, ['--expose-gc', ...relaxedFlag(node), ...args])) !== 0) {
    throw new Failure('the measurement failed');
  }
  return JSON.parse(readFileSync(out, 'utf8'));
}

await main(async () => {
  const { values } = parseArgs({
    options: {
      node: { type: 'string', default: process.execPath },
      only: { type: 'string' },
      dry: { type: 'boolean' },
    },
  });
  await step('peers', () => installPeers());
  const { node, only } = values;
  const quiet = await measured(node, only);
  const figures = { ...quiet, busy: await measured(node, only, 'busy') };
  const section = threadsSection(figures);
  console.log(section);
  if (values.dry || only) return;
  const file = at('bench', 'threads', 'figures.json');
  writeFileSync(file, `${JSON.stringify(figures, null, 2)}\n`);
  const page = at('docs', 'performance.md');
  writeFileSync(page, withSection(readFileSync(page, 'utf8'), title, section));
});
