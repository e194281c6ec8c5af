// SPDX-License-Identifier: MIT
// Rows that fail in batched(): alone and beside other rows.
import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import * as mf from '../../dist/index.js';
import { batched, openPool } from '../../dist/worker.js';

before(() => mf.ready({ onMaskDropped: 'silent' }));

const lstm = (ids) =>
  new mf.Sequential([
    mf.Input({ shape: [null], dtype: 'int32' }),
    mf.layers.embedding({ inputDim: ids, outputDim: 4, maskZero: true }),
    mf.layers.lstm({ units: 3 }),
  ]);

/** The result of each row as text, so that errors can be compared. */
async function resultsOf(one, rows) {
  const results = await Promise.allSettled(rows.map((row) => one.predict(row)));
  return results.map(({ value, reason }) => reason?.message ?? String(value.array()));
}

suite('rows that fail in batched()', () => {
  test('give an empty row the result that it has alone', async () => {
    const one = batched(lstm(20));
    const alone = [];
    for (const row of [[], [1, 2], [3]]) alone.push(...(await resultsOf(one, [row])));
    assert.match(alone[0], /the sequence has no steps/);
    // Twice: the first ragged rows teach the model that padding changes nothing.
    for (let round = 0; round < 2; round++) {
      await resultsOf(one, [[1, 2], [3]]);
      assert.deepEqual(await resultsOf(one, [[], [1, 2], [3]]), alone);
      assert.deepEqual(await resultsOf(one, [[1, 2], [], [3], []]), [
        alone[1],
        alone[0],
        alone[2],
        alone[0],
      ]);
    }
  });

  test('cause no warning of a listener leak', async () => {
    const warnings = [];
    const note = (warning) => warnings.push(warning.message);
    process.on('warning', note);
    const pool = await openPool({ size: 2 });
    try {
      const one = batched(await pool.loadModel(await lstm(20).save()));
      const rows = Array.from({ length: 40 }, (_, i) => Array.from({ length: i + 1 }, () => 99));
      const results = await resultsOf(one, rows);
      for (const text of results) assert.match(text, /99/);
      // Warnings are emitted in a later turn.
      await new Promise((resolve) => setTimeout(resolve, 20));
    } finally {
      pool.close();
      process.off('warning', note);
    }
    assert.deepEqual(warnings, []);
  });
});
