// SPDX-License-Identifier: MIT
// Random calls of the whole API end in results or typed errors and free all memory. `node
// scripts/fuzz.mjs api` runs more cases.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fuzz } from '../fuzz/fuzz.js';

test('600 random cases fail nowhere', { timeout: 600_000 }, async () => {
  const { cases, counts, failures } = await fuzz(0, 600, undefined, './api.js');
  assert.deepEqual(failures, []);
  assert.equal(cases, 600);
  // If all calls were refused, or all accepted, nothing would be tested.
  assert.ok(counts.result > 200 && counts.ValueError > 100, JSON.stringify(counts));
});
