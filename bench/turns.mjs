// SPDX-License-Identifier: MIT
// Measures functions in turns, so that a slow phase of the machine affects all of them.
import { median } from './samples.mjs';

/** Returns the milliseconds that `run` takes. */
export async function timeOf(run) {
  const start = performance.now();
  await run();
  return performance.now() - start;
}

/**
 * Returns the medians in milliseconds of functions that run in turns, many calls each. No garbage
 * is collected before a turn, because the engine goes on to collect in other threads.
 */
export async function inBursts(entries, rounds = 8, milliseconds = 150) {
  const times = Object.fromEntries(Object.keys(entries).map((name) => [name, []]));
  for (let round = -1; round < rounds; round++) {
    for (const [name, run] of Object.entries(entries)) {
      const until = performance.now() + milliseconds;
      do {
        const time = await timeOf(run);
        // The first round warms up.
        if (round >= 0) times[name].push(time);
      } while (performance.now() < until);
    }
  }
  return Object.fromEntries(Object.entries(times).map(([name, list]) => [name, median(list)]));
}
