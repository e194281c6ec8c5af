// SPDX-License-Identifier: MIT
// Runs all programs in the calling thread, with the entries that the cell has imported in its way.
import { compare } from './compare.js';
import { programs, programsFor } from './index.js';

// Longest time of a program in ms. A pool loads the model in each worker, which takes seconds on a
// busy machine.
const longest = 20_000;

async function within(promise, limit) {
  // Worklets have no timers, so there a program has no time limit.
  if (typeof setTimeout === 'undefined') return promise;
  let timer;
  const late = new Promise((_, fail) => {
    timer = setTimeout(() => fail(new Error(`hangs (more than ${limit / 1000} s)`)), limit);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** MiniBrowser has no shared memory, unlike Safari. */
function judgeThreads({ threads, threadsReason } = {}, wanted) {
  const isRight = threads === wanted || threadsReason === 'this engine has no shared memory';
  return isRight ? 'ok' : `${threads} threads: ${threadsReason}`;
}

/** Options for a run with threads. */
export const threaded = { ready: { threads: 2 }, only: ['core', 'load'] };

const say = (error) => `${error?.name}: ${error?.message}`.slice(0, 500);
const now = () => (typeof performance === 'undefined' ? Date : performance).now();

/**
 * Runs the programs; returns 'ok' or the error of each. `entries` has mf, text and worker, or only
 * train. `source` is the model file, as `loadModel` accepts it. `workers` are options of
 * `openWorker`. `only` lists names of programs.
 */
export async function check(entries, { only = programsFor(entries), ...options } = {}) {
  const answers = {};
  const main = entries.train ?? entries.mf;
  const begun = now();
  const ready = await main.ready(options.ready).then(
    () => now() - begun,
    () => undefined,
  );
  for (const name of only) {
    const { run, wanted } = programs[name];
    try {
      answers[name] = compare(await within(run(entries, options), longest), wanted);
    } catch (error) {
      answers[name] = say(error);
    }
  }
  const info = ready === undefined ? undefined : main.runtimeInfo();
  if (options.ready?.threads) answers.threads = judgeThreads(info, options.ready.threads);
  return { answers, ready, variant: info?.variant };
}
