// SPDX-License-Identifier: MIT
// Two threads and two workers, compared with one thread and with onnxruntime. Needs two idle cores.
//   --node=PATH     a Node with relaxed SIMD; default: this one
//   --only=W2,T1    some workloads; otherwise all
// Other numbers of threads, each package with each number in a process of its own:
//   --threads=1,2,4,8,16   prints the table (bench/threads/table.mjs)
//   --rounds=2, --turn=300 processes of each, and milliseconds for a workload in each
//   --pack=FOLDER          writes a folder that prints the table on another x86-64 Linux
import { relaxedFlag } from '../scripts/lib/relaxed-flag.mjs';
import { factorText, table, timeText } from './report.mjs';
import { writePack } from './threads/pack.mjs';
import { checkOutputs, measureTable, tableOptions, tableText } from './threads/table.mjs';

export const options = {
  ...tableOptions,
  // Without numbers of threads, the section about two threads is measured.
  threads: { type: 'string' },
  node: { type: 'string', default: process.execPath },
  pack: { type: 'string' },
};

export const numbers = { threads: 1, rounds: 1, turn: 1 };

export async function measure(values, { installPeers, measuredApart }) {
  const { node, only, pack, threads } = values;
  await installPeers();
  if (pack) return void console.log(await writePack(pack, node));
  if (threads) {
    const figures = await measureTable(values, { node, flags: relaxedFlag(node) });
    console.log(tableText(figures));
    return checkOutputs(figures);
  }
  const ids = only?.split(',');
  const quiet = await measuredApart('threads/node', { ids }, node);
  return { ...quiet, busy: await measuredApart('threads/node', { ids, isBusy: true }, node) };
}

export const title = '## Threads';

const moreCores = [4, 8, 16];

/**
 * Returns how many times faster `cores` threads are than one, by Amdahl's law, from how many times
 * faster two are: the serial share s satisfies 1 / gain = s + (1 - s) / 2.
 */
function expectedGain(gain, cores) {
  const serial = Math.min(1, Math.max(0, 2 / gain - 1));
  return 1 / (serial + (1 - serial) / cores);
}

const computed = (gain) =>
  moreCores.map((cores) => expectedGain(gain, cores).toFixed(1)).join(', ');

/** Returns the cells of a comparison: both times, and how many times faster the second one is. */
const pair = (alone, shared) => [timeText(alone), timeText(shared), factorText(alone / shared)];

const pairHead = ['one thread', 'two threads', 'gain'];
const endHead = ['busy', `computed for ${moreCores.join(', ')} cores`];

function inferenceRow({ id, cores, times: of }, busy) {
  const [one, two] = [of['maskflow 1'], of['maskflow 2']];
  const beside = busy.inference.find((row) => row.id === id)?.times;
  return [
    id,
    ...pair(one, two),
    factorText(cores),
    factorText(of['onnxruntime-web 2'] / two),
    factorText(of['onnxruntime-node 2'] / two),
    factorText(beside?.['maskflow 1'] / beside?.['maskflow 2']),
    computed(one / two),
  ];
}

function trainingRow({ id, padded, cores, alone, shared }, busy) {
  const beside = busy.training.find((row) => row.id === id && row.padded === padded);
  const gain = factorText(beside?.alone / beside?.shared);
  const name = `${id}${padded ? ', ragged' : ''}`;
  return [name, ...pair(alone, shared), factorText(cores), gain, computed(alone / shared)];
}

const peerHead = ['faster than onnxruntime-web, two threads', 'than native, two threads'];

export const section = ({ engine, machine, inference, training, pools, start, busy }) => `\
Measured by \`npm run bench:threads\`: ${engine}, ${machine}.
All packages run in one process, in turns of 150 ms; times are medians of calls. "Cores" is how many
times as many multiply-adds two threads compute that share nothing, measured after each workload: it
is the limit of any gain. "Busy" is how many times as fast two threads are as one while another
program keeps a core busy. The gains at
${moreCores.slice(0, -1).join(', ')} and ${moreCores.at(-1)} cores are computed, not measured: by Amdahl's law, from the gain of two threads.

${table(
  ['workload', ...pairHead, 'cores', ...peerHead, ...endHead],
  inference.map((row) => inferenceRow(row, busy)),
)}

One step of training, as in [Training](#training):

${table(
  ['workload', ...pairHead, 'cores', ...endHead],
  training.map((row) => trainingRow(row, busy)),
)}

\`predict(x, { workers: 2 })\` compared with \`predict(x)\`, without threads, after the first call:

${table(
  ['workload', 'rows', 'one thread', 'two workers', 'gain'],
  pools.map(({ id, rows, alone, shared }) => [id, rows, ...pair(alone, shared)]),
)}

Import and \`ready()\` in a new process take ${timeText(start[1])}, with three threads ${timeText(start[3])}.
`;
