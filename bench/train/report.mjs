// SPDX-License-Identifier: MIT
// What `npm run bench:train` measured, as a section of docs/performance.md.

export const title = '## Training';

const milliseconds = (x) => (x === undefined || x === null ? '' : x.toPrecision(3));
const times = (x, ours) => (x ? `${(x / ours).toPrecision(2)} ×` : '');

/** Of a peer: its time as a multiple of ours, or why it has none. */
const peer = (found, ours) =>
  found === undefined ? '' : found.step ? times(found.step, ours) : 'cannot';

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

/** Titles once, below the table. */
function legend(rows) {
  const titles = new Map(rows.map((row) => [row.id, row.title]));
  return [...titles].map(([id, text]) => `- ${id}: ${text}.`).join('\n');
}

export function trainingSection({ engine, machine, rows, keras }) {
  const python = keras ? `, ${keras}` : '';
  return `${title}

One step of \`trainOnBatch\` with Adam, loss and update included, in milliseconds: medians under ${engine} on ${machine}${python}. "Forward" is
\`predict\` of the same batch, which keeps what it made of unchanged weights (products with the table of an embedding, packed matrices); a step changes
them. What others take is a multiple of our step; torch.nn computes padding as data, TensorFlow.js is measured once a workload.

| | kept | step | forward | step / forward | Keras (torch) | torch.nn | tfjs wasm | tfjs cpu |
|---|---|---|---|---|---|---|---|---|
${rows.map(line).join('\n')}

${legend(rows)}
`;
}
