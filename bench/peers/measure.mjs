// SPDX-License-Identifier: MIT
// Compares and times packages on one workload, in turns, so that a slow moment meets all of them.

import { median } from '../samples.mjs';

const kTolerance = 1e-5;
const milliseconds = { sample: 4, budget: 4000, slow: 100 };
const rounds = { usual: 41, least: 5, slow: 5 };

/** Steps that count: padding may hold what a package likes. */
function isKept({ input, lengths }, place, size) {
  if (!lengths || size % (input.shape[0] * input.shape[1]) !== 0) return true;
  const step = Math.floor(place / (size / (input.shape[0] * input.shape[1])));
  return step % input.shape[1] < lengths[Math.floor(step / input.shape[1])];
}

/** Largest difference, relative above 1; Infinity for another size or NaN. */
export function difference(workload, ours, theirs) {
  if (ours.length !== theirs.length) return Infinity;
  const sequences = workload.layers.at(-1).kind === 'transformer';
  let worst = 0;
  for (let i = 0; i < ours.length; i++) {
    if (sequences && !isKept(workload, i, ours.length)) continue;
    const apart = Math.abs(ours[i] - theirs[i]) / Math.max(1, Math.abs(ours[i]));
    worst = Number.isNaN(apart) ? Infinity : Math.max(worst, apart);
  }
  return worst;
}

async function timed(run, calls) {
  const start = performance.now();
  for (let call = 0; call < calls; call++) {
    const result = run();
    // Ours is no promise, and waiting for none would cost it time.
    if (result instanceof Promise) await result;
  }
  return (performance.now() - start) / calls;
}

/** Warms up, so that all code has reached its last tier; how many calls make a sample. */
async function plan(run) {
  const once = await timed(run, 1);
  await timed(run, Math.max(1, Math.min(200, Math.ceil(300 / once))));
  const settled = await timed(run, once > milliseconds.slow ? 1 : 3);
  return {
    calls: Math.max(1, Math.ceil(milliseconds.sample / settled)),
    rounds: settled > milliseconds.slow ? rounds.slow : rounds.usual,
  };
}

/**
 * All entries in turns: { run, steps } each; times are milliseconds for one step. Before each turn the engine collects
 * what the package before has left, which would otherwise be done in, and counted to, the next one's time: TensorFlow.js leaves
 * most, and who follows it was found up to half slower.
 */
async function interleave(entries) {
  if (!globalThis.gc) throw new Error('run this with --expose-gc');
  for (const entry of entries) Object.assign(entry, await plan(entry.run), { times: [] });
  const start = performance.now();
  for (let round = 0; round < rounds.usual; round++) {
    if (round >= rounds.least && performance.now() - start > milliseconds.budget) break;
    for (const entry of entries) {
      if (round >= entry.rounds) continue;
      globalThis.gc();
      entry.times.push((await timed(entry.run, entry.calls)) / (entry.steps ?? 1));
    }
  }
}

/** @returns for each package its times, or why it has none */
export async function measure(workload, packages) {
  const results = {};
  const entries = [];
  let expected;
  for (const one of packages) {
    const refusal = one.refuses?.(workload);
    if (refusal) {
      results[one.name] = { refusal };
      continue;
    }
    const prepared = await one.prepare(workload);
    const output = Float32Array.from(await prepared.run());
    expected ??= output;
    const apart = difference(workload, expected, output);
    const tolerance = workload.tolerance ?? kTolerance;
    if (!(apart <= tolerance)) {
      throw new Error(`${workload.id}: ${one.name} differs by ${apart}, more than ${tolerance}`);
    }
    entries.push({ name: one.name, apart, ...prepared });
  }
  await interleave(entries);
  for (const { name, apart, times, stop } of entries) {
    results[name] = {
      median: median(times),
      least: Math.min(...times),
      samples: times.length,
      apart,
    };
    stop?.();
  }
  return results;
}
