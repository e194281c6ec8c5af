// SPDX-License-Identifier: MIT
import * as maskflow from './maskflow.mjs';
import { measure } from './measure.mjs';
import * as ort from './ort.mjs';
import { multiplyAddPeak } from './peak.mjs';
import { streamingPeak } from './stream.mjs';
import * as tfjs from './tfjs.mjs';
import { workload, workloadIds } from './workloads.mjs';

/** What every engine can run. */
const usual = [maskflow, ort, tfjs];

const number = (x) => (x < 1 ? x.toFixed(4) : x < 100 ? x.toFixed(2) : x.toFixed(0)).padStart(9);

function line(row, packages) {
  const ours = row.results[maskflow.name];
  const cells = packages.map(({ name }) => {
    const { median, least, refusal } = row.results[name];
    return refusal
      ? `${' '.repeat(14)}—${' '.repeat(14)}`
      : `${number(median)} (${number(least)})  ${(median / ours.median).toFixed(2).padStart(6)}×`;
  });
  const gflops = row.flop / ours.least / 1e6;
  return `${row.id.padEnd(5)}${cells.join('  ')}  ${gflops.toFixed(1).padStart(5)} GFLOP/s`;
}

/** Starts the packages. @returns their versions; for those of `others` that cannot be had here, the reason */
async function started(others) {
  const versions = {};
  const absent = {};
  for (const one of usual) versions[one.name] = await one.start();
  for (const one of others) {
    try {
      versions[one.name] = await one.start();
    } catch (error) {
      absent[one.name] = error.message;
    }
  }
  return { versions, absent };
}

/** All packages, and `others`, on these workloads, in any engine. `say` gets a line for each. */
export async function compare(ids, say, others = []) {
  const { versions, absent } = await started(others);
  const packages = [...usual, ...others].filter(({ name }) => name in versions);
  for (const [name, reason] of Object.entries(absent)) say(`without ${name}: ${reason}`);
  const fused = versions.maskflow.includes('relaxed');
  const run = { versions, absent, peak: multiplyAddPeak(fused), rows: [] };
  say(
    `peak ${run.peak.toFixed(1)} GFLOP/s; milliseconds: median (least), times ours\n     ${packages.map(({ name }) => name.padEnd(32)).join('')}`,
  );
  for (const id of ids ?? workloadIds) {
    const one = workload(id);
    const row = { id, title: one.title, flop: one.flop, results: await measure(one, packages) };
    if (one.streamed)
      row.stream = { bytes: one.streamed, peak: streamingPeak(fused, one.streamed) };
    run.rows.push(row);
    say(line(row, packages));
  }
  run.peak = Math.max(run.peak, multiplyAddPeak(fused));
  return run;
}
