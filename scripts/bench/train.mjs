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
import { title, trainingSection } from '../../bench/train/report.mjs';
import { at } from '../lib/files.mjs';
import { measuredApart, writeSection } from '../lib/measured.mjs';
import { Failure, main, run } from '../lib/process.mjs';
import { installPeers } from '../lib/peers.mjs';
import { step } from '../lib/steps.mjs';

/**
 * Adds the times of Keras to the figures, which its script reads from the file and changes there.
 */
async function withPython(python, figures) {
  const out = at('build', 'train_keras.json');
  writeFileSync(out, JSON.stringify(figures));
  const [command, ...rest] = python.split(' ');
  const script = at('bench', 'train', 'keras_torch.py');
  if ((await run(command, [...rest, script, out])) !== 0) throw new Failure('Python failed');
  return JSON.parse(readFileSync(out, 'utf8'));
}

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
  const args = [values.only ?? 'T1,T2,T3,T4,T5', ...(peers ? ['tfjs'] : [])];
  const measured = await measuredApart('train', { args });
  const figures = values.python ? await withPython(values.python, measured) : measured;
  const section = trainingSection(figures);
  console.log(section);
  if (values.dry || values.only) return;
  // Leaves out the lengths of the rows, which follow from the workload.
  const kept = { ...figures, rows: figures.rows.map(({ lengths: _, ...row }) => row) };
  writeSection('train', { title, section, figures: kept });
});
