// SPDX-License-Identifier: MIT
// Measures a step of training with the package in dist/, compared with its forward pass and
// TensorFlow.js.
//   --only=T1,T2     some workloads (bench/train/workloads.mjs); otherwise all
//   --no-peers       measures this package alone
//   --python=COMMAND a Python with keras and torch, for bench/train/keras_torch.py
//   --dry            prints the section and writes nothing
// A run of all workloads writes bench/train/figures.json and its section of docs/performance.md.
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { withSection } from '../bench/page_section.mjs';
import { title, trainingSection } from '../bench/train/report.mjs';
import { at } from './lib/files.mjs';
import { Failure, main, run } from './lib/process.mjs';
import { relaxedFlag } from './lib/relaxed-flag.mjs';
import { installPeers } from './lib/peers.mjs';
import { step } from './lib/steps.mjs';

await main(async () => {
  const { values } = parseArgs({
    options: {
      only: { type: 'string' },
      'no-peers': { type: 'boolean' },
      python: { type: 'string' },
      dry: { type: 'boolean' },
    },
  });
  const peers = !values['no-peers'];
  if (peers) await step('peers', () => installPeers({ native: false }));
  const out = at('build', 'training.json');
  const node = process.execPath;
  const program = at('bench', 'train', 'main.mjs');
  const args = [out, values.only ?? 'T1,T2,T3,T4,T5', ...(peers ? ['tfjs'] : [])];
  if ((await run(node, ['--expose-gc', ...relaxedFlag(node), program, ...args])) !== 0) {
    throw new Failure('the measurement failed');
  }
  if (values.python) {
    const [command, ...rest] = values.python.split(' ');
    const script = at('bench', 'train', 'keras_torch.py');
    if ((await run(command, [...rest, script, out])) !== 0) throw new Failure('Python failed');
  }
  const figures = JSON.parse(readFileSync(out, 'utf8'));
  console.log(trainingSection(figures));
  if (values.dry || values.only) return;
  // Leaves out the lengths of the rows, which follow from the workload.
  const kept = { ...figures, rows: figures.rows.map(({ lengths: _, ...row }) => row) };
  writeFileSync(at('bench', 'train', 'figures.json'), `${JSON.stringify(kept, null, 2)}\n`);
  const page = at('docs', 'performance.md');
  writeFileSync(page, withSection(readFileSync(page, 'utf8'), title, trainingSection(figures)));
});
