// SPDX-License-Identifier: MIT
// Runs many cases in a worker, and ends the worker if a case hangs.
import { Worker } from 'node:worker_threads';

/** Longest CPU time of a case in ms. */
export const kSlow = 2000;
/** Longest wall-clock time of a case in ms; other programs may run at the same time. */
const kHung = 120_000;

const workerFile = new URL('./worker.js', import.meta.url);

/**
 * Runs the cases `from` to `to` of `cases`, a file in this folder. Returns a report, whose `counts`
 * are the numbers of cases by outcome.
 */
export async function fuzz(from, to, onCase = () => {}, cases = './case.js') {
  const report = {
    cases: 0,
    counts: {},
    failures: [],
    slowest: { time: 0 },
    heapBytes: 0,
    jsBytes: 0,
  };
  let next = from;
  while (next < to) next = await runFrom(next, to, report, onCase, cases);
  return report;
}

function runFrom(from, to, report, onCase, cases) {
  return new Promise((resolve) => {
    const worker = new Worker(workerFile, {
      workerData: { from, to, cases },
      resourceLimits: { maxOldGenerationSizeMb: 512 },
    });
    let current = from;
    let timer;
    const end = (next) => {
      clearTimeout(timer);
      worker.removeAllListeners();
      worker.terminate().then(() => resolve(next));
    };
    const fail = (what) => {
      report.cases++;
      report.failures.push(`case ${current}: ${what}`);
      end(current + 1);
    };
    worker.on('error', (error) => fail(error.stack ?? String(error)));
    worker.on('message', (message) => {
      clearTimeout(timer);
      if (message.done) return end(to);
      if (message.begin !== undefined) {
        current = message.begin;
        timer = setTimeout(() => fail(`hangs for more than ${kHung} ms`), kHung);
        return;
      }
      note(report, message);
      onCase(report);
      if (message.dead || message.fresh) end(current + 1);
    });
  });
}

function note(
  report,
  { number, outcome, outcomes = [outcome], failure, time, heapBytes, jsBytes },
) {
  report.cases++;
  report.jsBytes = Math.max(report.jsBytes, jsBytes);
  report.heapBytes = Math.max(report.heapBytes, heapBytes);
  if (time > report.slowest.time) report.slowest = { time, number };
  if (failure) report.failures.push(`case ${number}: ${failure}`);
  else for (const name of outcomes) report.counts[name] = (report.counts[name] ?? 0) + 1;
  if (time > kSlow) report.failures.push(`case ${number}: took ${Math.round(time)} ms`);
}
