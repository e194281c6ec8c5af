// SPDX-License-Identifier: MIT
// The comparison of `npm run bench:peers`, in Node and on a page: starts the packages, checks that
// their outputs agree, and times them.
import * as mf from '../../dist/index.js';
import { prepareAll } from '../agreement.mjs';
import { inTurns } from '../loop.mjs';
import { workload, workloadIds } from '../workloads/inference.mjs';
import { maskflowPackage } from './maskflow.mjs';
import * as ort from './ort.mjs';
import { multiplyAddPeak, streamingPeak } from './peak.mjs';
import * as tfjs from './tfjs.mjs';

/** The packages that run in every engine. */
const portablePackages = [maskflowPackage(mf), ort, tfjs];

const number = (x) => (x < 1 ? x.toFixed(4) : x < 100 ? x.toFixed(2) : x.toFixed(0)).padStart(9);

function line({ id, flop, results }, packages) {
  const cells = packages.map(({ name }) => {
    const { median, least, ratio, refusal } = results[name];
    return refusal
      ? `${' '.repeat(14)}—${' '.repeat(14)}`
      : `${number(median)} (${number(least)})  ${ratio.toFixed(2).padStart(6)}×`;
  });
  const gflops = flop / results.maskflow.least / 1e6;
  return `${id.padEnd(5)}${cells.join('  ')}  ${gflops.toFixed(1).padStart(5)} GFLOP/s`;
}

/**
 * Starts the packages. @returns their versions; for those of `others` that are not available here,
 * the reason
 */
async function startPackages(others) {
  const versions = {};
  const absent = {};
  for (const peer of portablePackages) versions[peer.name] = await peer.start();
  for (const peer of others) {
    try {
      versions[peer.name] = await peer.start();
    } catch (error) {
      absent[peer.name] = error.message;
    }
  }
  return { versions, absent };
}

/** Returns the times of each package on a workload, or why it has none. */
async function resultsOf(task, packages) {
  const { runs, refusals } = await prepareAll(task, packages);
  const times = await inTurns(runs, { rounds: 41, sample: 4, budget: 4000, collects: true });
  const results = {};
  for (const [name, refusal] of Object.entries(refusals)) results[name] = { refusal };
  for (const [name, { apart, stop }] of Object.entries(runs)) {
    const { median, least, ratio, times: samples } = times[name];
    results[name] = { median, least, ratio, samples: samples.length, apart };
    stop?.();
  }
  return results;
}

/** Compares all packages, and `others`, on these workloads, in any engine. */
export async function compare(ids, others = []) {
  const { versions, absent } = await startPackages(others);
  const packages = [...portablePackages, ...others].filter(({ name }) => name in versions);
  for (const [name, reason] of Object.entries(absent)) console.log(`without ${name}: ${reason}`);
  const isFused = versions.maskflow.includes('relaxed');
  const run = { versions, absent, peak: multiplyAddPeak(isFused), rows: [] };
  console.log(
    `peak ${run.peak.toFixed(1)} GFLOP/s; milliseconds: median (least), times ours\n     ${packages.map(({ name }) => name.padEnd(32)).join('')}`,
  );
  for (const id of ids ?? workloadIds) {
    const task = workload(id);
    const row = {
      id,
      title: task.title,
      flop: task.flop,
      results: await resultsOf(task, packages),
    };
    if (task.streamed)
      row.stream = { bytes: task.streamed, peak: streamingPeak(isFused, task.streamed) };
    run.rows.push(row);
    console.log(line(row, packages));
  }
  run.peak = Math.max(run.peak, multiplyAddPeak(isFused));
  return run;
}
