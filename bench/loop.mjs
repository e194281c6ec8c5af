// SPDX-License-Identifier: MIT
// The measuring loop of all benchmarks, in Node and on pages: functions run in turns, so that a
// slow phase of the machine affects all of them.

/** Returns the median of the values: for an even count, the mean of the two in the middle. */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

/** Returns the mean time of a step in milliseconds, over `calls` calls. */
async function timeOf({ run, steps = 1, after }, calls = 1) {
  const start = performance.now();
  let result;
  for (let call = 0; call < calls; call++) {
    result = run();
    // Awaits only promises, because awaiting a number would cost time.
    if (result instanceof Promise) result = await result;
  }
  const time = (performance.now() - start) / calls / steps;
  after?.(result);
  return time;
}

/** Calls from this many milliseconds on are slow: they run in few rounds, with a short warm-up. */
const slow = { call: 100, rounds: 5 };

/**
 * Warms up until all code has reached its last tier. Returns the number of calls that take `sample`
 * ms, and whether a call is slow.
 */
async function plan(entry, sample) {
  const single = { ...entry, steps: 1 };
  const first = await timeOf(single);
  await timeOf(single, Math.max(1, Math.min(200, Math.ceil(300 / first))));
  const warm = await timeOf(single, first > slow.call ? 1 : 3);
  return { calls: Math.max(1, Math.ceil(sample / warm)), isSlow: warm > slow.call };
}

function collectGarbage() {
  if (!globalThis.gc) throw new Error('run this with --expose-gc');
  globalThis.gc();
}

const entryOf = (run) => (typeof run === 'function' ? { run } : run);

/**
 * Times functions in turns. `runs` has a function for each name, or `{ run, steps, after }`: times
 * are those of one of its steps, and `after` receives each result and is not timed.
 *
 * - `rounds`: turns of each function; `warmUp` earlier ones do not count.
 * - `turn`: milliseconds for which a turn goes on taking samples; 0 stands for one sample.
 * - `sample`: the least milliseconds of a sample, which is the mean of as many calls as that takes.
 *   With 0, a sample is one call. Otherwise functions warm up before all rounds, and slow ones run
 *   in few rounds.
 * - `budget`: milliseconds after which no further round begins, if there were enough for a median.
 * - `collects`: before each turn, the engine collects the garbage of the previous function, whose
 *   collection would otherwise count as time of the next one.
 *
 * Returns for each name all `times`, their `median` and `least`, and `ratio`: the median of the
 * ratios to the first function in the same round.
 */
export async function inTurns(runs, options) {
  const { rounds, turn = 0, sample = 0, budget = Infinity, collects = false } = options;
  const { warmUp = sample > 0 ? 0 : 1 } = options;
  const entries = [];
  for (const [name, run] of Object.entries(runs)) {
    const entry = entryOf(run);
    const planned = sample > 0 ? await plan(entry, sample) : {};
    entries.push({ ...entry, ...planned, name, times: [], medians: [] });
  }
  const start = performance.now();
  for (let round = -warmUp; round < rounds; round++) {
    if (round >= slow.rounds && performance.now() - start > budget) break;
    for (const entry of entries) {
      if (entry.isSlow && round >= slow.rounds) continue;
      if (collects) collectGarbage();
      const times = await turnOf(entry, turn);
      if (round < 0) continue;
      entry.times.push(...times);
      entry.medians.push(median(times));
    }
  }
  const [first] = entries;
  return Object.fromEntries(entries.map((entry) => [entry.name, summaryOf(entry, first)]));
}

async function turnOf(entry, turn) {
  const times = [];
  const end = performance.now() + turn;
  do times.push(await timeOf(entry, entry.calls));
  while (performance.now() < end);
  return times;
}

function summaryOf({ times, medians }, first) {
  const ratios = medians.map((time, round) => time / first.medians[round]);
  const ratio = median(ratios.filter(Number.isFinite));
  return { times, median: median(times), least: Math.min(...times), ratio };
}
