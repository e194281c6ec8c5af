// SPDX-License-Identifier: MIT
// Layer code that disposes, changes and calls at random leads only to results or typed errors,
// frees all memory, and the next call is correct. `node scripts/fuzz.mjs reentrancy` runs more
// scripts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { fuzzReentrancy } from '../fuzz/reentrancy.js';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');

test('300 random scripts end in results or typed errors', async () => {
  const { scripts, numbers, errors, failures } = await fuzzReentrancy(0, 300, { collect });
  assert.deepEqual(failures, []);
  assert.equal(scripts, 300);
  assert.ok(numbers > 300 && errors > 100, `${numbers} results, ${errors} errors`);
});
