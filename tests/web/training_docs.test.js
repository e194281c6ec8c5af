// SPDX-License-Identifier: MIT
// Every JavaScript program of docs/training.md runs as it stands.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { runModule } from '../support/programs.js';

const page = readFileSync(new URL('../../docs/training.md', import.meta.url), 'utf8');
const programs = [...page.matchAll(/```js\n([\s\S]*?)```/g)].map((match) => match[1]);
const said = [/^0\.\d+ (0\.[6-9]\d*|1)\n/, /\[ 'sequential\/dense_1\/kernel', 'sequential\/dense_1\/bias' \]/, /^[78]\.\d+/];

test('every program of docs/training.md has an answer', () => {
  assert.equal(programs.length, said.length);
});

programs.forEach((program, i) => {
  test(`docs/training.md: program ${i + 1} runs and prints what it says`, () => {
    const entry = JSON.stringify(String(new URL('../../dist/train.js', import.meta.url)));
    const output = runModule(program.replace("'maskflow/train'", entry));
    assert.match(output, said[i]);
  });
});
