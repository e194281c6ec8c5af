// SPDX-License-Identifier: MIT
// Runs a range of cases and reports the start and end of each, so that its parent knows which one
// hangs.
import { parentPort, workerData } from 'node:worker_threads';
import * as mf from '../../dist/train.js';

/** Returns the stack without the URLs of bundled modules, which contain the whole module. */
const stackOf = (error) =>
  (error?.stack ?? String(error)).replace(/data:text[^:)]{200,}/g, 'data:…').slice(0, 4000);

for (const method of ['warn', 'log']) console[method] = () => {};
await mf.ready({ onMaskDropped: 'silent' });
const { runCase } = await import(workerData.cases);
for (let number = workerData.from; number < workerData.to; number++) {
  parentPort.postMessage({ begin: number });
  const start = performance.now();
  let message;
  try {
    message = await runCase(number);
  } catch (error) {
    message = { failure: stackOf(error) };
    // After a trap the instance is unusable, so the parent must start a new one.
    if (error.dead || error instanceof WebAssembly.RuntimeError) message.dead = true;
  }
  const { heapBytes } = mf.memory();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  const jsBytes = heapUsed + arrayBuffers;
  parentPort.postMessage({
    time: performance.now() - start,
    ...message,
    number,
    heapBytes,
    jsBytes,
  });
  if (message.dead || message.fresh) break;
}
parentPort.postMessage({ done: true });
