// SPDX-License-Identifier: MIT
// Compares and times packages on one workload, in turns, so that a slow phase of the machine
// affects all of them.

import { median } from '../samples.mjs';

const kTolerance = 1e-5;
const milliseconds = { sample: 4, budget: 4000, slow: 100 };
const rounds = { usual: 41, least: 5, slow: 5 };

/** Returns whether a step counts: at padding, a package may return anything. */
function isKept({ input, lengths }, place, size) {
  if (!lengths || size % (input.shape[0] * input.shape[1]) !== 0) return true;
  const step = Math.floor(place / (size / (input.shape[0] * input.shape[1])));
  return step % input.shape[1] < lengths[Math.floor(step / input.shape[1])];
}

/**
 * Returns the largest difference, relative for values above 1; Infinity for another size or NaN.
 */
export function difference(workload, expected, actual) {
  if (expected.length !== actual.length) return Infinity;
  const sequences = workload.layers.at(-1).kind === 'transformer';
  let worst = 0;
  for (let i = 0; i < expected.length; i++) {
    if (sequences && !isKept(workload, i, expected.length)) continue;
    const apart = Math.abs(expected[i] - actual[i]) / Math.max(1, Math.abs(expected[i]));
    worst = Number.isNaN(apart) ? Infinity : Math.max(worst, apart);
  }
  return worst;
}

async function millisecondsPerCall(run, calls) {
  const start = performance.now();
  for (let call = 0; call < calls; call++) {
    const result = run();
    // Awaits only promises: maskflow's result is not one, and awaiting it would cost time.
    if (result instanceof Promise) await result;
  }
  return (performance.now() - start) / calls;
}

/** Warms up until all code has reached its last tier. Returns the number of calls in a sample. */
async function plan(run) {
  const firstCall = await millisecondsPerCall(run, 1);
  await millisecondsPerCall(run, Math.max(1, Math.min(200, Math.ceil(300 / firstCall))));
  const warmCall = await millisecondsPerCall(run, firstCall > milliseconds.slow ? 1 : 3);
  return {
    calls: Math.max(1, Math.ceil(milliseconds.sample / warmCall)),
    rounds: warmCall > milliseconds.slow ? rounds.slow : rounds.usual,
  };
}

/**
 * Runs all entries, { run, steps } each, in turns; times are milliseconds per step. Before each
 * turn the engine collects the garbage of the previous package, whose collection would otherwise
 * count as time of the next package. TensorFlow.js leaves the most garbage: the package after it
 * seemed up to half slower.
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
      entry.times.push((await millisecondsPerCall(entry.run, entry.calls)) / (entry.steps ?? 1));
    }
  }
}

/** @returns for each package its times, or why it has none */
export async function measure(workload, packages) {
  const results = {};
  const entries = [];
  let expected;
  for (const peer of packages) {
    const refusal = peer.refuses?.(workload);
    if (refusal) {
      results[peer.name] = { refusal };
      continue;
    }
    const prepared = await peer.prepare(workload);
    const output = Float32Array.from(await prepared.run());
    expected ??= output;
    const apart = difference(workload, expected, output);
    const tolerance = workload.tolerance ?? kTolerance;
    if (!(apart <= tolerance)) {
      throw new Error(`${workload.id}: ${peer.name} differs by ${apart}, more than ${tolerance}`);
    }
    entries.push({ name: peer.name, apart, ...prepared });
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
