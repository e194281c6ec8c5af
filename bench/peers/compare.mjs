// SPDX-License-Identifier: MIT
// The comparison of `npm run bench:peers`, in Node and on a page: starts the packages, checks that
// their outputs agree, and times them.
import * as maskflow from './maskflow.mjs';
import { measure } from './measure.mjs';
import * as ort from './ort.mjs';
import { multiplyAddPeak } from './peak.mjs';
import { streamingPeak } from './stream.mjs';
import * as tfjs from './tfjs.mjs';
import { workload, workloadIds } from './workloads.mjs';

/** The packages that run in every engine. */
const portablePackages = [maskflow, ort, tfjs];

const number = (x) => (x < 1 ? x.toFixed(4) : x < 100 ? x.toFixed(2) : x.toFixed(0)).padStart(9);

function line(row, packages) {
  const result = row.results[maskflow.name];
  const cells = packages.map(({ name }) => {
    const { median, least, refusal } = row.results[name];
    return refusal
      ? `${' '.repeat(14)}—${' '.repeat(14)}`
      : `${number(median)} (${number(least)})  ${(median / result.median).toFixed(2).padStart(6)}×`;
  });
  const gflops = row.flop / result.least / 1e6;
  return `${row.id.padEnd(5)}${cells.join('  ')}  ${gflops.toFixed(1).padStart(5)} GFLOP/s`;
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

/**
 * Compares all packages, and `others`, on these workloads, in any engine. `say` receives a line for
 * each.
 */
export async function compare(ids, say, others = []) {
  const { versions, absent } = await startPackages(others);
  const packages = [...portablePackages, ...others].filter(({ name }) => name in versions);
  for (const [name, reason] of Object.entries(absent)) say(`without ${name}: ${reason}`);
  const isFused = versions.maskflow.includes('relaxed');
  const run = { versions, absent, peak: multiplyAddPeak(isFused), rows: [] };
  say(
    `peak ${run.peak.toFixed(1)} GFLOP/s; milliseconds: median (least), times ours\n     ${packages.map(({ name }) => name.padEnd(32)).join('')}`,
  );
  for (const id of ids ?? workloadIds) {
    const task = workload(id);
    const row = { id, title: task.title, flop: task.flop, results: await measure(task, packages) };
    if (task.streamed)
      row.stream = { bytes: task.streamed, peak: streamingPeak(isFused, task.streamed) };
    run.rows.push(row);
    say(line(row, packages));
  }
  run.peak = Math.max(run.peak, multiplyAddPeak(isFused));
  return run;
}
