// SPDX-License-Identifier: MIT
// Four batches of W3 in one worker and shared between two, in turns; and the best that two cores of
// this machine can do: two independent workers, each with all four batches.
import * as mf from '../../dist/index.js';
import { openPool } from '../../dist/worker.js';
import { prepare } from '../peers/maskflow.mjs';
import { difference } from '../peers/measure.mjs';
import { workload } from '../peers/workloads.mjs';
import { median } from '../samples.mjs';

const kBatches = 4;

async function timeOf(run) {
  const start = performance.now();
  await run();
  return performance.now() - start;
}

/** Returns the batch of W3, repeated four times, as rows of ids. */
function batches() {
  const task = workload('W3');
  const [rows, time] = task.input.shape;
  const data = new Int32Array(kBatches * rows * time);
  for (let i = 0; i < kBatches; i++) data.set(task.input.data, i * rows * time);
  return { one: task, shape: [kBatches * rows, time], data };
}

/** Returns the milliseconds of each way, sample by sample. */
export async function measureWorkers(samples) {
  await mf.ready();
  const { one: task, shape, data } = batches();
  const { run, model } = await prepare(task);
  const file = await model.save();
  const pools = await Promise.all([1, 2, 1].map((size) => openPool({ size })));
  const models = await Promise.all(pools.map((pool) => pool.loadModel(file)));
  const ways = models.map((of) => async () => {
    const x = mf.tensor(data, { shape });
    const y = await of.predict(x, { batchSize: task.input.shape[0] });
    const numbers = y.data();
    x.dispose();
    return numbers;
  });
  const [single, shared, secondWorker] = ways;
  const expected = run();
  for (const way of ways) {
    const apart = difference(task, expected, (await way()).subarray(0, expected.length));
    if (!(apart <= 1e-5)) throw new Error(`a worker differs by ${apart}`);
  }
  const times = { single: [], shared: [], both: [] };
  for (let i = 0; i < samples + 3; i++) {
    const sample = {
      single: await timeOf(single),
      shared: await timeOf(shared),
      both: await timeOf(() => Promise.all([single(), secondWorker()])),
    };
    // The first three samples warm up and do not count.
    if (i >= 3) for (const [name, list] of Object.entries(times)) list.push(sample[name]);
  }
  for (const pool of pools) pool.close();
  const figures = ([name, list]) => [name, { median: median(list), least: Math.min(...list) }];
  return Object.fromEntries(Object.entries(times).map(figures));
}
