// SPDX-License-Identifier: MIT
// Measures the limit of threads: the multiply-adds of several that share nothing, compared with
// those of the main thread alone. Cores of a shared machine differ in speed, and the sum of their
// speeds is the limit of any program.
import { isMainThread, Worker, workerData } from 'node:worker_threads';
import { multiplyAdds } from '../peers/peak.mjs';
import { median } from '../loop.mjs';

const windowLength = 8; // milliseconds
const windowCount = 25;
// About a tenth of a millisecond.
const rounds = 20_000;
// Words of the shared memory: whether the other threads run, and what they have counted.
const [runsWord, countWord] = [0, 1];

const loop = multiplyAdds(12, true);

function runOther(words) {
  for (;;) {
    Atomics.wait(words, runsWord, 0);
    while (Atomics.load(words, runsWord) === 1) {
      loop(rounds);
      Atomics.add(words, countWord, 1);
    }
  }
}

/** Returns how many loops the main thread runs in a window, and the others if `all`. */
function loopsIn(words, all) {
  Atomics.store(words, countWord, 0);
  Atomics.store(words, runsWord, all ? 1 : 0);
  Atomics.notify(words, runsWord);
  const start = performance.now();
  let count = 0;
  for (; performance.now() - start < windowLength; count++) loop(rounds);
  const others = Atomics.load(words, countWord);
  Atomics.store(words, runsWord, 0);
  return count + others;
}

/** Starts the other threads. Returns a function that measures the gain: the median of windows. */
export async function gainOfThreads(threads) {
  const words = new Int32Array(new SharedArrayBuffer(8));
  const others = Array.from({ length: threads - 1 }, async () => {
    const worker = new Worker(new URL(import.meta.url), { workerData: words });
    await new Promise((resolve) => worker.once('online', resolve));
    worker.unref();
  });
  await Promise.all(others);
  return (windows = windowCount) => {
    const gains = [];
    for (let window = 0; window < windows; window++) {
      const alone = loopsIn(words, false);
      const all = loopsIn(words, true);
      // The first ones warm up.
      if (window >= 2) gains.push(all / alone);
    }
    return median(gains);
  };
}

if (!isMainThread && workerData instanceof Int32Array) runOther(workerData);
