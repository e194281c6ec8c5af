// SPDX-License-Identifier: MIT
// Damaged files end in typed errors or in models, quickly, and free all memory. `node
// scripts/fuzz.mjs` runs more cases.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fuzz } from '../../fuzz/fuzz.js';

test('600 damaged files of all formats fail nowhere', { timeout: 600_000 }, async () => {
  const { cases, counts, failures } = await fuzz(0, 600);
  assert.deepEqual(failures, []);
  assert.equal(cases, 600);
  // If no reader noticed damage, or all refused, nothing would be tested.
  assert.ok(counts.FormatError > 200 && counts.model > 50, JSON.stringify(counts));
});

test('300 damaged files of PyTorch fail nowhere', { timeout: 600_000 }, async () => {
  const { cases, counts, failures } = await fuzz(0, 300, () => {}, './torch.js');
  assert.deepEqual(failures, []);
  assert.equal(cases, 300);
  assert.ok(counts.FormatError > 100 && counts.layers > 10, JSON.stringify(counts));
});
