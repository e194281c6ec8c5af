// SPDX-License-Identifier: MIT
// One process of `npm run bench:threads -- --threads …`: one package with a number of threads.
// Threads of another package in the same process would spin, and spoil the figures.
import { inTurns } from '../loop.mjs';
import { maskflowPackage } from '../peers/maskflow.mjs';
import { workload } from '../workloads/inference.mjs';
import { trainingWorkloads } from '../workloads/training.mjs';
import { gainOfThreads } from './cores.mjs';

/** Returns the copy of an entry of maskflow that this process runs. */
async function entry(name, threads) {
  const copy = maskflowPackage(await import(`../../dist/${name}.js`), 'maskflow', { threads });
  return { ...copy, version: await copy.start() };
}

/** The packages by name; each function starts its package with a number of threads. */
const packages = {
  maskflow: (threads) => entry('index', threads),
  'maskflow/train': (threads) => entry('train', threads),
  async 'onnxruntime-web'(threads) {
    const { preparedWeb, refuses, start } = await import('../peers/ort.mjs');
    return { prepare: preparedWeb(threads), refuses, version: start() };
  },
  async 'onnxruntime-node'(threads) {
    const { preparedNative, refuses, start } = await import('../peers/ort_native.mjs');
    return { version: await start(), prepare: await preparedNative(threads), refuses };
  },
};

/** Returns a digest of numbers that is the same for the same bits, and the numbers' first ones. */
async function outlineOf(numbers) {
  const bytes = new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return { bits: Buffer.from(digest).toString('hex'), numbers: [...numbers.slice(0, 64)] };
}

/** Returns { ms, bits, numbers }: the median time of a call, and an outline of its output. */
async function measureCall({ run, steps, stop }, turn) {
  const outline = await outlineOf(Float32Array.from(await run()));
  const { call } = await inTurns({ call: { run, steps } }, { rounds: 3, turn: turn / 3 });
  stop?.();
  return { ms: call.median, ...outline };
}

async function measureInference({ prepare, refuses }, ids, turn) {
  const figures = {};
  for (const id of ids) {
    const task = workload(id);
    if (!refuses?.(task)) figures[id] = await measureCall(await prepare(task), turn);
  }
  return figures;
}

async function measureTraining({ prepareTraining }, ids, turn) {
  const figures = {};
  for (const id of ids) {
    const task = trainingWorkloads(id).find(({ share }) => share === null || share === 1);
    const { step, stop } = prepareTraining(task);
    const run = async () => Float32Array.of(await step());
    figures[id] = await measureCall({ run, stop }, turn);
  }
  return figures;
}

/**
 * Measures workloads in a package, each for `turn` milliseconds.
 * @returns { version, figures, cores }; `cores` is the limit of any gain
 */
export async function measure({ name, threads, ids, turn }) {
  const chosen = await packages[name](threads);
  const measureAll = name === 'maskflow/train' ? measureTraining : measureInference;
  const figures = await measureAll(chosen, ids, turn);
  const cores = name === 'maskflow' && threads > 1 ? (await gainOfThreads(threads))() : 1;
  return { version: chosen.version, figures, cores };
}
