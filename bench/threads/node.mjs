// SPDX-License-Identifier: MIT
// One process of `npm run bench:threads`, alone or beside a program that keeps a core busy.
import { spawn, spawnSync } from 'node:child_process';
import * as mf from '../../dist/index.js';
import '../../dist/worker.js';
import { machine } from '../../scripts/lib/facts.mjs';
import { checkAgreement, prepareAll } from '../agreement.mjs';
import { inTurns, median } from '../loop.mjs';
import { maskflowPackage } from '../peers/maskflow.mjs';
import { workload, workloadIds } from '../workloads/inference.mjs';
import { trainingIds, trainingWorkloads } from '../workloads/training.mjs';
import { maskflowWith, nativeWith, onnxWith } from './copies.mjs';
import { gainOfThreads } from './cores.mjs';

const turns = { rounds: 8, turn: 150 };

/** Returns the medians of functions that run in turns, in milliseconds by name. */
async function mediansOf(runs) {
  const times = await inTurns(runs, turns);
  return Object.fromEntries(Object.entries(times).map(([name, each]) => [name, each.median]));
}

/** Measures packages with one thread and with two; without ONNX Runtime beside a busy program. */
async function measureInference(ids, isBusy, measureCores) {
  const packages = [];
  for (const make of isBusy ? [maskflowWith] : [maskflowWith, onnxWith, nativeWith])
    for (const threads of [1, 2]) packages.push(await make(threads));
  for (const { start } of packages) await start?.();
  const rows = [];
  for (const id of ids.filter((each) => workloadIds.includes(each))) {
    const { runs } = await prepareAll(workload(id), packages);
    // Times of a stream are those of all its steps.
    const whole = Object.entries(runs).map(([name, { run }]) => [name, run]);
    const times = await mediansOf(Object.fromEntries(whole));
    for (const { stop } of Object.values(runs)) stop?.();
    const cores = measureCores();
    rows.push({ id, times, cores });
    const gain = (times['maskflow 1'] / times['maskflow 2']).toFixed(2);
    const text = Object.entries(times).map(([name, ms]) => `${name} ${ms.toPrecision(3)}`);
    console.log(`${id}: ${gain} times (cores ${cores.toFixed(2)}); ms: ${text.join(', ')}`);
  }
  return rows;
}

async function measureTraining(ids, measureCores) {
  const copies = [await maskflowWith(1, 'train.js'), await maskflowWith(2, 'train.js')];
  for (const { start } of copies) await start();
  const rows = [];
  for (const id of ids.filter((each) => trainingIds.includes(each))) {
    // Without padding, or with the ragged lengths of T1 and T2.
    const isMeasured = ({ share }) => share === null || share === 1;
    for (const task of trainingWorkloads(id).filter(isMeasured)) {
      const [alone, shared] = copies.map(({ prepareTraining }) => prepareTraining(task));
      const times = await mediansOf({ alone: alone.step, shared: shared.step });
      for (const { stop } of [alone, shared]) stop();
      const cores = measureCores();
      rows.push({ id, padded: Boolean(task.lengths), cores, ...times });
      const gain = (times.alone / times.shared).toFixed(2);
      const name = `${id}${task.lengths ? ', ragged' : ''}`;
      console.log(`${name}: ${gain} times (cores ${cores.toFixed(2)})`);
    }
  }
  return rows;
}

/** Returns the rows of a workload's input, repeated or cut to `rows` rows, with its shape. */
function inputOf({ input }, rows) {
  const width = input.data.length / input.shape[0];
  const data = new input.data.constructor(rows * width);
  for (let i = 0; i < data.length; i++) data[i] = input.data[i % input.data.length];
  return { data, shape: [rows, ...input.shape.slice(1)] };
}

/** Measures `predict(x, { workers: 2 })` compared with one thread. */
async function measurePool(id, rows) {
  const task = workload(id);
  const { model } = await maskflowPackage(mf).prepare(task);
  const { data, shape } = inputOf(task, rows);
  const way = (options) => async () => {
    const x = mf.tensor(data, { shape });
    const y = await model.predict(x, { batchSize: 32, ...options });
    const numbers = y.data();
    for (const tensor of [x, y]) tensor.dispose();
    return numbers;
  };
  const [alone, shared] = [way({}), way({ workers: 2 })];
  checkAgreement(task, 'workers', await alone(), await shared());
  const times = await mediansOf({ alone, shared });
  model.dispose();
  console.log(`${id}, ${rows} rows, two workers: ${(times.alone / times.shared).toFixed(2)} times`);
  return { id, rows, ...times };
}

/** Measures pools on W3 and W7. Small batches show from which size on a pool pays. */
async function measurePools(ids) {
  await mf.ready();
  const rows = [];
  for (const [id, sizes] of Object.entries({ W3: [8, 16, 32, 64, 256], W7: [256] }))
    for (const size of ids.includes(id) ? sizes : []) rows.push(await measurePool(id, size));
  return rows;
}

/** Returns the median milliseconds of import and ready() in new processes, by number of threads. */
function startTimes() {
  const program = (threads) => `
    const start = performance.now();
    const { ready } = await import('${new URL('../../dist/index.js', import.meta.url)}');
    await ready({ threads: ${threads} });
    console.log(performance.now() - start);`;
  const times = { 1: [], 3: [] };
  for (let i = 0; i < 15; i++) {
    for (const [threads, list] of Object.entries(times)) {
      const args = [...process.execArgv, '--input-type=module', '-e', program(threads)];
      list.push(Number(spawnSync(process.execPath, args, { encoding: 'utf8' }).stdout));
    }
  }
  return Object.fromEntries(Object.entries(times).map(([key, list]) => [key, median(list)]));
}

export async function measure({ ids = [...workloadIds, ...trainingIds], isBusy }) {
  const engine = `Node ${process.versions.node}`;
  const measureCores = await gainOfThreads(2);
  console.log(`${engine}, ${machine}${isBusy ? ', beside a busy program' : ''}`);
  const busy = isBusy && spawn(process.execPath, ['-e', 'for (;;);']);
  try {
    const inference = await measureInference(ids, isBusy, measureCores);
    const training = await measureTraining(ids, measureCores);
    const figures = { engine, machine, inference, training };
    if (isBusy) return figures;
    const pools = await measurePools(ids);
    const start = startTimes();
    console.log(`start: ${JSON.stringify(start)} ms`);
    return { ...figures, pools, start };
  } finally {
    if (busy) busy.kill();
  }
}
