// SPDX-License-Identifier: MIT
// An async function in a place that does not wait for it is a typed error, and its promise does not
// end the program.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { awaited, cases } from '../support/async_functions.js';
import { tryNode } from '../support/programs.js';

const program = fileURLToPath(new URL('../support/async_functions.js', import.meta.url));

test('no promise of an async function ends the program, and each is an error', () => {
  const { status, stdout, stderr } = tryNode([program], { encoding: 'utf8' });
  const results = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.equal(status, 0, `after ${results.at(-1)?.name}: ${stderr}`);
  assert.equal(results.length, Object.keys(cases).length + Object.keys(awaited).length);
  const failures = results.filter(({ kind, typed, late }) => (kind === 'cases' ? !typed : !late));
  assert.deepEqual(failures, []);
});
