// SPDX-License-Identifier: MIT
// Runs one process of `npm run bench:train`: measures, prints a table, and writes the figures as
// JSON.   main.mjs OUT.json [ID,ID,…] [tfjs]
import { writeFileSync } from 'node:fs';
import { machine } from '../machine.mjs';
import { median } from '../samples.mjs';
import { inBursts, timeOf } from '../turns.mjs';
import * as ours from './maskflow.mjs';
import { workloads } from './workloads.mjs';

const [out, only, peers] = process.argv.slice(2);
// Imported late, because the peers are installed only for measurements.
const tfjs = peers && (await import('./tfjs.mjs'));

/**
 * Measures one workload with all its shares of kept steps. They take turns, because the machine is
 * faster in some phases than in others.
 */
async function measureWorkload(entries) {
  const prepared = entries.map(({ workload }) => ours.prepare(workload));
  const runs = prepared.flatMap(({ step, forward }, i) => [
    [`step ${i}`, step],
    [`forward ${i}`, forward],
  ]);
  const figures = await inBursts(Object.fromEntries(runs), 10, 100);
  for (const { stop } of prepared) stop();
  return entries.map(({ workload, share }, i) => {
    const { id, title, lengths: list } = workload;
    const kept = list ? list.reduce((a, b) => a + b) / (32 * workload.input.shape[1]) : 1;
    const lengths = list ? [...list] : null;
    const times = { step: figures[`step ${i}`], forward: figures[`forward ${i}`] };
    return { id, title, share, kept, lengths, ...times };
  });
}

/** Measures a peer. Its steps take up to seconds, so it runs only a few. */
async function measurePeer(backend, { workload }) {
  const refusal = tfjs.refuses(workload, backend);
  if (refusal) return { refusal };
  try {
    const { step, stop } = tfjs.prepare(workload);
    await step();
    const times = [];
    for (let i = 0; i < 3; i++) times.push(await timeOf(step));
    stop();
    return { step: median(times) };
  } catch (error) {
    return { refusal: String(error.message).split('\n')[0] };
  }
}

const milliseconds = (x) => (x === undefined ? '' : `${x.toPrecision(3)} ms`);
const { node } = process.versions;
console.log(`Node ${node}, ${machine}, maskflow ${await ours.start()}`);
const chosen = workloads(only ? only.split(',') : undefined);
const rows = [];
for (const id of new Set(chosen.map(({ workload }) => workload.id))) {
  for (const row of await measureWorkload(chosen.filter(({ workload }) => workload.id === id))) {
    rows.push(row);
    const keptText = `${Math.round(row.kept * 100)} % kept`;
    const times = `step ${milliseconds(row.step)}, forward ${milliseconds(row.forward)}`;
    console.log(`${row.id} ${keptText}: ${times}, ${(row.step / row.forward).toFixed(2)} times`);
  }
}
for (const backend of peers ? ['wasm', 'cpu'] : []) {
  const version = await tfjs.use(backend);
  for (const entry of chosen) {
    // Masks do not change a peer's time, so one entry of each workload is enough.
    if (entry.share !== (entry.workload.id < 'T3' ? null : 1)) continue;
    const row = rows.find(({ id, share }) => id === entry.workload.id && share === entry.share);
    row[backend] = await measurePeer(backend, entry);
    const { step, refusal } = row[backend];
    const ratio = step && `${(step / row.step).toFixed(0)} times ours`;
    console.log(`${row.id} ${version}: ${step ? `${milliseconds(step)}, ${ratio}` : refusal}`);
  }
}
writeFileSync(out, JSON.stringify({ engine: `Node ${node}`, machine, rows }, null, 1));
