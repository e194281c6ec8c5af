// SPDX-License-Identifier: MIT
// Smaller batches, such as the last one of a prediction, fit into the memory that larger ones
// released (bindings/free_list.cpp). The test runs in its own process, because other tests leave a
// heap with free space.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as mf from '../../dist/index.js';

const { Input, layers, Sequential } = mf;

test('smaller batches do not grow the heap', async () => {
  await mf.ready({ seed: 1 });
  const model = new Sequential([
    Input({ shape: [null, 64] }),
    layers.dense({ units: 1024 }),
    layers.dense({ units: 2 }),
  ]);
  // Returns a prediction in which each row needs half a megabyte in one block.
  const predict = (rows) => {
    const shape = [rows, 128, 64];
    const x = mf.tensor(new Float32Array(rows * 128 * 64).fill(0.5), { shape });
    model.predict(x, { batchSize: 0 }).dispose();
    x.dispose();
  };
  predict(15);
  const { heapBytes } = mf.memory();
  for (const rows of [15, 13, 11, 9, 8, 7, 6, 5, 4, 3]) {
    predict(rows);
    assert.equal(mf.memory().heapBytes, heapBytes, `${rows} rows`);
  }
});
