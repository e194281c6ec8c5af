// SPDX-License-Identifier: MIT
// Runs a range of cases and tells each beginning and end, so that whoever watches sees where it
// hangs.
import { parentPort, workerData } from 'node:worker_threads';
import * as mf from '../../dist/train.js';

/** Modules that were bundled for a test stand in their addresses. */
const stackOf = (error) =>
  (error?.stack ?? String(error)).replace(/data:text[^:)]{200,}/g, 'data:…').slice(0, 4000);

for (const way of ['warn', 'log']) console[way] = () => {};
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
    // After a trap the instance is in no state to go on.
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
