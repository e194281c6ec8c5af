// SPDX-License-Identifier: MIT
// Puts the lines of a file into the queue, and writes the results in their order, each line once:
// node produce.mjs rows.csv scores.csv
import { createReadStream, createWriteStream } from 'node:fs';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { Queue, QueueEvents } from 'bullmq';
import { connection, queueName } from './queue.mjs';

const [input, output] = process.argv.slice(2);
const rowsOfJob = Number(process.env.ROWS ?? 1000);
/** Jobs in the queue at a time, so that memory is bounded here and in Redis. */
const ahead = 32;

const queue = new Queue(queueName, {
  connection: connection(),
  defaultJobOptions: { attempts: 3, backoff: { type: 'exponential', delay: 500 } },
});
// Each job that is awaited listens for the end of the queue.
queue.setMaxListeners(2 * ahead);
const events = new QueueEvents(queueName, { connection: connection() });
await events.waitUntilReady();

const results = createWriteStream(output);
const pending = [];

async function send(lines) {
  const job = await queue.add('predict', lines);
  const scores = job.waitUntilFinished(events);
  scores.catch(() => {}); // the loop that writes throws the error
  pending.push({ job, count: lines.length, scores });
}

/** Writes the results of the oldest job. */
async function write() {
  const { job, count, scores } = pending.shift();
  const lines = await scores;
  if (lines.length !== count) throw new Error(`job ${job.id} lost rows`);
  if (!results.write(`${lines.join('\n')}\n`)) await once(results, 'drain');
  await job.remove();
}

let lines = [];
for await (const line of createInterface({ input: createReadStream(input) })) {
  if (lines.push(line) < rowsOfJob) continue;
  await send(lines);
  lines = [];
  if (pending.length >= ahead) await write();
}
if (lines.length > 0) await send(lines);
while (pending.length > 0) await write();
results.end();
await once(results, 'close');
await Promise.all([queue.close(), events.close()]);
