// SPDX-License-Identifier: MIT
// Takes jobs of rows from the queue, predicts them, and returns their results. Start as many as you
// like, on any machine: node consumer.mjs model.keras
import { Worker } from 'bullmq';
import { loadModel, tidy } from 'maskflow';
import { connection, queueName } from './queue.mjs';

const model = await loadModel(process.argv[2]);

/** Each row of a job is a line of CSV: a key, then numbers. */
function predict({ data: lines }) {
  const cells = lines.map((line) => line.split(','));
  const rows = cells.map(([, ...numbers]) => numbers.map(Number));
  const scores = tidy(() => model.predict(rows, { batchSize: 0 }).array());
  return cells.map(([key], row) => [key, ...scores[row]].join());
}

const worker = new Worker(queueName, async (job) => predict(job), {
  connection: connection(),
  // A job belongs to its consumer for this time, which it renews while it runs. If the consumer
  // dies, another one takes the job after it.
  lockDuration: 5000,
  stalledInterval: 2000,
  // A job may lose this many consumers before it fails.
  maxStalledCount: 5,
});
await worker.waitUntilReady();
console.log('ready');

process.once('SIGTERM', async () => {
  await worker.close(); // ends the job that runs, and takes no other
  process.exit();
});
