// SPDX-License-Identifier: MIT
// Damaged files end in typed errors or in models, quickly, and leave nothing behind. `node scripts/fuzz.mjs` runs more.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fuzz } from '../../fuzz/fuzz.js';

test('600 damaged files of all formats', { timeout: 120_000 }, async () => {
  const { cases, counts, failures } = await fuzz(0, 600);
  assert.deepEqual(failures, []);
  assert.equal(cases, 600);
  // Damage that no reader notices would mean that nothing was tested, and so would damage that all refuse.
  assert.ok(counts.FormatError > 200 && counts.model > 50, JSON.stringify(counts));
});
