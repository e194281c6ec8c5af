// SPDX-License-Identifier: MIT
// The figures of `npm run bench:train`, as a section of docs/performance.md.

export const title = '## Training';

const milliseconds = (x) => (x === undefined || x === null ? '' : x.toPrecision(3));
const times = (x, ourTime) => (x ? `${(x / ourTime).toPrecision(2)} ×` : '');

/** Returns a peer's time as a multiple of maskflow's, or the reason why it has none. */
const peer = (figures, ourTime) =>
  figures === undefined ? '' : figures.step ? times(figures.step, ourTime) : 'cannot';

function line(row) {
  const { id, kept, step, forward, keras, torch, wasm, cpu } = row;
  const cells = [
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
  return `| ${cells.join(' | ')} |`;
}

/** Lists each title once, below the table. */
function legend(rows) {
  const titles = new Map(rows.map((row) => [row.id, row.title]));
  return [...titles].map(([id, text]) => `- ${id}: ${text}.`).join('\n');
}

export function trainingSection({ engine, machine, rows, keras }) {
  const python = keras ? `, ${keras}` : '';
  return `${title}

One step of \`trainOnBatch\` with Adam, in milliseconds, including the loss and the update. Times are
medians: ${engine}, ${machine}${python}.

"Forward" is \`predict\` of the same batch. It reuses what it computed from unchanged weights:
products with the table of an embedding, and packed matrices. A step changes the weights. All rows
of a workload take turns. The times of other packages are multiples of maskflow's step; they run
after it. torch.nn computes padding as data. TensorFlow.js is measured once for each workload.

| workload | kept | step | forward | step / forward | Keras (torch) | torch.nn | tfjs wasm | tfjs cpu |
|---|---|---|---|---|---|---|---|---|
${rows.map(line).join('\n')}

${legend(rows)}
`;
}
