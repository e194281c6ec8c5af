// SPDX-License-Identifier: MIT
// Random tables through `maskflow run`; npm run fuzz -- run has more of them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fuzzRun } from '../fuzz/run.js';

test('20 random tables keep their rows and keys, and get the numbers of predict', {
  timeout: 300_000,
}, async () => {
  assert.deepEqual(await fuzzRun(0, 20), []);
});
