// SPDX-License-Identifier: MIT
// Four batches of W3 in one worker and shared between two, in turns; and what two cores of this machine can give at best:
// two workers that know nothing of each other, each with all four batches.
import * as mf from '../../dist/index.js';
import { openPool } from '../../dist/worker.js';
import { prepare } from '../peers/maskflow.mjs';
import { difference } from '../peers/measure.mjs';
import { workload } from '../peers/workloads.mjs';
import { median } from '../samples.mjs';

const kBatches = 4;

async function timed(run) {
  const start = performance.now();
  await run();
  return performance.now() - start;
}

/** W3 with its batch four times over, as rows of ids. */
function batches() {
  const one = workload('W3');
  const [rows, time] = one.input.shape;
  const data = new Int32Array(kBatches * rows * time);
  for (let i = 0; i < kBatches; i++) data.set(one.input.data, i * rows * time);
  return { one, shape: [kBatches * rows, time], data };
}

/** Milliseconds of each way, sample by sample. */
export async function measureWorkers(samples) {
  await mf.ready();
  const { one, shape, data } = batches();
  const { run, model } = await prepare(one);
  const file = await model.save();
  const pools = await Promise.all([1, 2, 1].map((size) => openPool({ size })));
  const models = await Promise.all(pools.map((pool) => pool.loadModel(file)));
  const ways = models.map((of) => async () => {
    const x = mf.tensor(data, { shape });
    const y = await of.predict(x, { batchSize: one.input.shape[0] });
    const numbers = y.data();
    x.dispose();
    return numbers;
  });
  const [single, shared, other] = ways;
  const expected = run();
  for (const way of ways) {
    const apart = difference(one, expected, (await way()).subarray(0, expected.length));
    if (!(apart <= 1e-5)) throw new Error(`a worker differs by ${apart}`);
  }
  const times = { single: [], shared: [], both: [] };
  for (let i = 0; i < samples + 3; i++) {
    const now = {
      single: await timed(single),
      shared: await timed(shared),
      both: await timed(() => Promise.all([single(), other()])),
    };
    // The first ones warm up.
    if (i >= 3) for (const [name, list] of Object.entries(times)) list.push(now[name]);
  }
  for (const pool of pools) pool.close();
  const figures = ([name, list]) => [name, { median: median(list), least: Math.min(...list) }];
  return Object.fromEntries(Object.entries(times).map(figures));
}
