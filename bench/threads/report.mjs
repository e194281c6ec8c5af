// SPDX-License-Identifier: MIT
// The section of docs/performance.md about threads and workers.
export const title = '## Threads';

const kCores = [4, 8, 16];

/**
 * Returns how many times faster `cores` threads are than one, by Amdahl's law, from how many times
 * faster two are: the serial share s satisfies 1 / gain = s + (1 - s) / 2.
 */
function expectedGain(gain, cores) {
  const serial = Math.min(1, Math.max(0, 2 / gain - 1));
  return 1 / (serial + (1 - serial) / cores);
}

const ms = (x) => (x < 1 ? `${(1000 * x).toFixed(x < 0.1 ? 1 : 0)} µs` : `${x.toPrecision(3)} ms`);
const times = (x) => (Number.isFinite(x) ? x.toFixed(2) : '—');
const computed = (gain) => kCores.map((cores) => expectedGain(gain, cores).toFixed(1)).join(', ');
const table = (head, rows) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

function inferenceRow({ id, cores, times: of }, busy) {
  const [one, two] = [of['maskflow 1'], of['maskflow 2']];
  const beside = busy.inference.find((row) => row.id === id)?.times;
  return [
    id,
    ms(one),
    ms(two),
    times(one / two),
    times(cores),
    times(of['onnxruntime-web 2'] / two),
    times(of['onnxruntime-node 2'] / two),
    times(beside?.['maskflow 1'] / beside?.['maskflow 2']),
    computed(one / two),
  ];
}

function trainingRow({ id, padded, cores, alone, shared }, busy) {
  const beside = busy.training.find((row) => row.id === id && row.padded === padded);
  return [
    `${id}${padded ? ', ragged' : ''}`,
    ms(alone),
    ms(shared),
    times(alone / shared),
    times(cores),
    times(beside?.alone / beside?.shared),
    computed(alone / shared),
  ];
}

export function threadsSection({ engine, machine, inference, training, pools, start, busy }) {
  return `${title}

Measured by \`npm run bench:threads\`: ${engine}, ${machine}.
All packages run in one process, in turns of 150 ms; times are medians of calls. "Cores" is how many
times as many multiply-adds two threads compute that share nothing, measured after each workload: it
is the limit of any gain. "Busy" is how many times as fast two threads are as one while another
program keeps a core busy. The gains at
${kCores.slice(0, -1).join(', ')} and ${kCores.at(-1)} cores are computed, not measured: by Amdahl's law, from the gain of two threads.

${table(
  [
    'workload',
    'one thread',
    'two threads',
    'gain',
    'cores',
    'faster than onnxruntime-web, two threads',
    'than native, two threads',
    'busy',
    `computed for ${kCores.join(', ')} cores`,
  ],
  inference.map((row) => inferenceRow(row, busy)),
)}

One step of training, as in [Training](#training):

${table(
  [
    'workload',
    'one thread',
    'two threads',
    'gain',
    'cores',
    'busy',
    `computed for ${kCores.join(', ')} cores`,
  ],
  training.map((row) => trainingRow(row, busy)),
)}

\`predict(x, { workers: 2 })\` compared with \`predict(x)\`, without threads, after the first call:

${table(
  ['workload', 'rows', 'one thread', 'two workers', 'gain'],
  pools.map((row) => [
    row.id,
    row.rows,
    ms(row.alone),
    ms(row.shared),
    times(row.alone / row.shared),
  ]),
)}

Import and \`ready()\` in a new process take ${ms(start[1])}, with three threads ${ms(start[3])}.
`;
}
