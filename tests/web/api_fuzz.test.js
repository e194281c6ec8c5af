// SPDX-License-Identifier: MIT
// Random calls of the whole API end in results or typed errors, and leave nothing behind. `node scripts/fuzz.mjs api` runs more.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fuzz } from '../fuzz/fuzz.js';

test('600 cases of random calls', { timeout: 120_000 }, async () => {
  const { cases, counts, failures } = await fuzz(0, 600, undefined, './api.js');
  assert.deepEqual(failures, []);
  assert.equal(cases, 600);
  // Calls that are all refused, or all taken, would test nothing.
  assert.ok(counts.result > 200 && counts.ValueError > 100, JSON.stringify(counts));
});
