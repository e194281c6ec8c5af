// SPDX-License-Identifier: MIT
// Runs one process of `npm run bench:threads`: measures, prints a table, and writes the figures as
// JSON.   main.mjs OUT.json [ID,ID,…] [busy]
import { spawn, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { machine } from '../machine.mjs';
import { difference } from '../peers/measure.mjs';
import { workload, workloadIds } from '../peers/workloads.mjs';
import { median } from '../samples.mjs';
import { prepare } from '../train/maskflow.mjs';
import { workloads as trainingWorkloads } from '../train/workloads.mjs';
import { inBursts } from '../turns.mjs';
import { maskflowWith, nativeWith, onnxWith, trainingCopy } from './copies.mjs';
import { secondCore } from './cores.mjs';
import { measurePools } from './pools.mjs';

const [out, only, isBusy] = process.argv.slice(2);
const kThreads = [1, 2];
const trainingIds = ['T1', 'T2', 'T3', 'T4', 'T5'];
const ids = only ? only.split(',') : [...workloadIds, ...trainingIds];
const say = console.log;

/** Returns packages with one thread and with two; without ONNX Runtime if it is not asked for. */
async function packagesOf() {
  const makers = isBusy ? [maskflowWith] : [maskflowWith, onnxWith, nativeWith];
  const packages = [];
  for (const make of makers) {
    for (const threads of kThreads) packages.push(await make(threads));
  }
  for (const { start } of packages) await start?.();
  return packages;
}

/** Returns the milliseconds of a workload by package, after comparing their outputs. */
async function timesOf(task, packages) {
  const prepared = {};
  let expected;
  for (const { name, refuses, prepare: prepareIn } of packages) {
    if (refuses?.(task)) continue;
    prepared[name] = await prepareIn(task);
    const output = Float32Array.from(await prepared[name].run());
    expected ??= output;
    const apart = difference(task, expected, output);
    if (!(apart <= (task.tolerance ?? 1e-5))) throw new Error(`${name} differs by ${apart}`);
  }
  const runs = Object.entries(prepared).map(([name, { run }]) => [name, run]);
  const times = await inBursts(Object.fromEntries(runs));
  for (const { stop } of Object.values(prepared)) stop?.();
  return times;
}

async function measureInference() {
  const packages = await packagesOf();
  const rows = [];
  for (const id of ids.filter((each) => workloadIds.includes(each))) {
    const times = await timesOf(workload(id), packages);
    rows.push({ id, times, cores: measureCores() });
    const text = Object.entries(times).map(([name, ms]) => `${name} ${ms.toPrecision(3)}`);
    say(
      `${id}: ${(times['maskflow 1'] / times['maskflow 2']).toFixed(2)} times (cores ${rows.at(-1).cores.toFixed(2)}); ms: ${text.join(', ')}`,
    );
  }
  return rows;
}

async function measureTraining() {
  const copies = [];
  for (const threads of kThreads) copies.push(await trainingCopy(threads));
  const entries = trainingWorkloads(ids.filter((each) => trainingIds.includes(each)));
  const rows = [];
  // Without padding, or with the ragged lengths of T1 and T2.
  for (const { workload: task } of entries.filter(({ share }) => share === null || share === 1)) {
    const [alone, shared] = copies.map((copy) => prepare(task, copy));
    const times = await inBursts({ alone: alone.step, shared: shared.step });
    for (const { stop } of [alone, shared]) stop();
    const cores = measureCores();
    rows.push({ id: task.id, padded: Boolean(task.lengths), cores, ...times });
    const gain = (times.alone / times.shared).toFixed(2);
    say(`${task.id}${task.lengths ? ', ragged' : ''}: ${gain} times (cores ${cores.toFixed(2)})`);
  }
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

const { node } = process.versions;
const measureCores = await secondCore();
say(`Node ${node}, ${machine}${isBusy ? ', beside a busy program' : ''}`);
const busy = isBusy && spawn(process.execPath, ['-e', 'for (;;);']);
const figures = { engine: `Node ${node}`, machine, inference: await measureInference() };
figures.training = await measureTraining();
if (!isBusy) {
  figures.pools = await measurePools(ids, say);
  figures.start = startTimes();
  say(`start: ${JSON.stringify(figures.start)} ms`);
}
busy?.kill();
writeFileSync(out, `${JSON.stringify(figures, null, 1)}\n`);
process.exit();
