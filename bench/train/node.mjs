// SPDX-License-Identifier: MIT
// One process of `npm run bench:train`.
import * as mf from '../../dist/train.js';
import { machine } from '../../scripts/lib/facts.mjs';
import { inTurns } from '../loop.mjs';
import { maskflowPackage } from '../peers/maskflow.mjs';
import { trainingWorkloads } from '../workloads/training.mjs';

const ours = maskflowPackage(mf);
const milliseconds = (x) => `${x.toPrecision(3)} ms`;

/** Returns a workload for keras_torch.py: settings of layers and shapes, without the numbers. */
const specOf = ({ layers, input, target, loss, lengths }) => ({
  layers: layers.map(({ weights, attention, normalisations, denses, ...settings }) => settings),
  shape: input.shape,
  target: target.shape,
  loss,
  lengths: lengths && [...lengths],
});

/**
 * Measures one workload with all its shares of kept steps. They take turns, because the machine is
 * faster in some phases than in others.
 */
async function measureOurs(workloads) {
  const prepared = workloads.map(ours.prepareTraining);
  const runs = prepared.flatMap(({ step, forward }, i) => [
    [`step ${i}`, step],
    [`forward ${i}`, forward],
  ]);
  const times = await inTurns(Object.fromEntries(runs), { rounds: 10, turn: 100 });
  for (const { stop } of prepared) stop();
  return workloads.map((workload, i) => {
    const { id, title, share, input, lengths: list } = workload;
    const kept = list ? list.reduce((a, b) => a + b) / (32 * input.shape[1]) : 1;
    const [step, forward] = [times[`step ${i}`].median, times[`forward ${i}`].median];
    const ratio = (step / forward).toFixed(2);
    const both = `step ${milliseconds(step)}, forward ${milliseconds(forward)}`;
    console.log(`${id} ${Math.round(kept * 100)} % kept: ${both}, ${ratio} times`);
    return { id, title, share, kept, spec: specOf(workload), step, forward };
  });
}

/** Measures a peer. Its steps take up to seconds, so it runs only a few. */
async function measurePeer(tfjs, backend, workload) {
  const refusal = tfjs.refusesTraining(workload, backend);
  if (refusal) return { refusal };
  try {
    const { step, stop } = tfjs.prepareTraining(workload);
    const times = await inTurns({ step }, { rounds: 3 });
    stop();
    return { step: times.step.median };
  } catch (error) {
    return { refusal: String(error.message).split('\n')[0] };
  }
}

export async function measure({ ids, peers }) {
  const engine = `Node ${process.versions.node}`;
  console.log(`${engine}, ${machine}, maskflow ${await ours.start()}`);
  const rows = [];
  for (const id of ids) rows.push(...(await measureOurs(trainingWorkloads(id))));
  // Imported late, because the peers are installed only for measurements.
  const tfjs = peers && (await import('../peers/tfjs.mjs'));
  for (const backend of peers ? ['wasm', 'cpu'] : []) {
    const version = await tfjs.start(backend);
    for (const id of ids) {
      // Masks do not change a peer's time, so the first row of each workload is enough.
      const row = rows.find((each) => each.id === id);
      row[backend] = await measurePeer(tfjs, backend, trainingWorkloads(id)[0]);
      const { step, refusal } = row[backend];
      const ratio = step && `${milliseconds(step)}, ${(step / row.step).toFixed(0)} times ours`;
      console.log(`${id} tfjs ${version}: ${ratio ?? refusal}`);
    }
  }
  return { engine, machine, rows };
}
