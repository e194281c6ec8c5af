// SPDX-License-Identifier: MIT
// A step of training with the package in dist/, compared with its forward pass and TensorFlow.js.
//   --only=T1,T2     some workloads (bench/workloads/training.mjs); otherwise all
//   --no-peers       measures this package alone
//   --python=COMMAND a Python with keras and torch, for bench/train/keras_torch.py
import { readFileSync, writeFileSync } from 'node:fs';
import { at } from '../scripts/lib/files.mjs';
import { Failure, run } from '../scripts/lib/process.mjs';
import { table } from './report.mjs';
import { trainingIds } from './workloads/training.mjs';

export const options = {
  only: { type: 'string' },
  'no-peers': { type: 'boolean' },
  python: { type: 'string' },
};

/** Adds the times of Keras to the figures, which its script reads from a file and changes there. */
async function withPython(python, figures) {
  const out = at('build', 'train_keras.json');
  writeFileSync(out, JSON.stringify(figures));
  const [command, ...rest] = python.split(' ');
  const script = at('bench', 'train', 'keras_torch.py');
  if ((await run(command, [...rest, script, out])) !== 0) throw new Failure('Python failed');
  return JSON.parse(readFileSync(out, 'utf8'));
}

export async function measure(values, { installPeers, measuredApart }) {
  const peers = !values['no-peers'];
  if (peers) await installPeers({ native: false });
  const ids = values.only?.split(',') ?? trainingIds;
  const measured = await measuredApart('train/node', { ids, peers });
  const figures = values.python ? await withPython(values.python, measured) : measured;
  return { ...figures, rows: figures.rows.map(({ spec: _, ...row }) => row) };
}

export const title = '## Training';

const head =
  'workload|kept|step|forward|step / forward|Keras (torch)|torch.nn|tfjs wasm|tfjs cpu'.split('|');
const milliseconds = (x) => (x === undefined || x === null ? '' : x.toPrecision(3));
const times = (x, ourTime) => (x ? `${(x / ourTime).toPrecision(2)} ×` : '');

/** Returns a peer's time as a multiple of maskflow's, or says that it has none. */
const peer = (figures, ourTime) =>
  figures === undefined ? '' : figures.step ? times(figures.step, ourTime) : 'cannot';

const rowOf = ({ id, kept, step, forward, keras, torch, wasm, cpu }) => [
  id,
  `${Math.round(kept * 100)} %`,
  milliseconds(step),
  milliseconds(forward),
  times(step, forward),
  times(keras, step),
  times(torch, step),
  peer(wasm, step),
  peer(cpu, step),
];

/** Lists each title once, below the table. */
function legend(rows) {
  const titles = new Map(rows.map((row) => [row.id, row.title]));
  return [...titles].map(([id, text]) => `- ${id}: ${text}.`).join('\n');
}

export const section = ({ engine, machine, rows, keras }) => `\
One step of \`trainOnBatch\` with Adam, in milliseconds, including the loss and the update. Times are
medians: ${engine}, ${machine}${keras ? `, ${keras}` : ''}.

"Forward" is \`predict\` of the same batch. It reuses what it computed from unchanged weights:
products with the table of an embedding, and packed matrices. A step changes the weights. All rows
of a workload take turns. The times of other packages are multiples of maskflow's step; they run
after it. torch.nn computes padding as data. TensorFlow.js is measured once for each workload.

${table(head, rows.map(rowOf))}

${legend(rows)}
`;
