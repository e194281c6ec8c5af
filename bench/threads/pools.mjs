// SPDX-License-Identifier: MIT
// `predict(x, { workers: 2 })` compared with one thread, for batches of several sizes.
import * as mf from '../../dist/index.js';
import { prepare } from '../peers/maskflow.mjs';
import { difference } from '../peers/measure.mjs';
import { workload } from '../peers/workloads.mjs';
import { inBursts } from '../turns.mjs';

/** Returns the rows of a workload's input, repeated or cut to `rows` rows, with its shape. */
function inputOf({ input }, rows) {
  const width = input.data.length / input.shape[0];
  const data = new input.data.constructor(rows * width);
  for (let i = 0; i < data.length; i++) data[i] = input.data[i % input.data.length];
  return { data, shape: [rows, ...input.shape.slice(1)] };
}

/** Returns medians in milliseconds: `alone`, in one thread, and `shared`, with two workers. */
async function measurePool(id, rows) {
  const task = workload(id);
  const { model } = await prepare(task);
  const { data, shape } = inputOf(task, rows);
  const way = (options) => async () => {
    const x = mf.tensor(data, { shape });
    const y = await model.predict(x, { batchSize: 32, ...options });
    const numbers = y.data();
    for (const tensor of [x, y]) tensor.dispose();
    return numbers;
  };
  const [alone, shared] = [way({}), way({ workers: 2 })];
  const apart = difference(task, await alone(), await shared());
  if (!(apart <= 1e-5)) throw new Error(`${id}: workers differ by ${apart}`);
  const times = await inBursts({ alone, shared });
  model.dispose();
  return { id, rows, ...times };
}

/** Measures pools on W3 and W7. Small batches show from which size on a pool pays. */
export async function measurePools(ids, say) {
  await mf.ready();
  const rows = [];
  for (const id of ['W3', 'W7'].filter((each) => ids.includes(each))) {
    for (const size of id === 'W3' ? [8, 16, 32, 64, 256] : [256]) {
      const row = await measurePool(id, size);
      rows.push(row);
      say(`${id}, ${size} rows, two workers: ${(row.alone / row.shared).toFixed(2)} times`);
    }
  }
  return rows;
}
