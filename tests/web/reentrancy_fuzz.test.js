// SPDX-License-Identifier: MIT
// Code of layers that disposes, changes and calls at random: numbers and typed errors alone, nothing is left behind, and the next
// call is right. `node scripts/fuzz.mjs reentrancy` runs more.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { fuzzReentrancy } from '../fuzz/reentrancy.js';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');

test('300 random scripts end in numbers and typed errors', async () => {
  const { scripts, numbers, errors, failures } = await fuzzReentrancy(0, 300, { collect });
  assert.deepEqual(failures, []);
  assert.equal(scripts, 300);
  assert.ok(numbers > 300 && errors > 100, `${numbers} results, ${errors} errors`);
});
