// SPDX-License-Identifier: MIT
// Random tables through `maskflow run`, of which npm run fuzz -- run has more; and the help of
// npm run fuzz.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { fuzzRun } from '../fuzz/run.js';
import { tryNode } from '../support/programs.js';

const script = fileURLToPath(new URL('../../scripts/fuzz.mjs', import.meta.url));

test('20 random tables keep their rows and keys, and get the numbers of predict', {
  timeout: 300_000,
}, async () => {
  assert.deepEqual(await fuzzRun(0, 20), []);
});

test('npm run fuzz -- --help lists all kinds, and runs no cases', () => {
  const { status, stdout } = tryNode([script, '--help']);
  assert.equal(status, 0);
  assert.deepEqual(tryNode([script, 'run', '-h']).stdout, stdout);
  const unknown = tryNode([script, 'nosuch']);
  const kinds = /choose from (.*)/.exec(unknown.stderr.toString())[1].split(', ');
  assert.ok(kinds.length > 30, `${kinds.length} kinds`);
  const help = stdout.toString();
  assert.deepEqual(
    kinds.filter((kind) => !new RegExp(`^ .*\\b${kind}\\b`, 'm').test(help)),
    [],
  );
  const refused = tryNode([script, '--halp']);
  assert.match(refused.stderr.toString(), /no option --halp; npm run fuzz -- --help/);
  assert.equal(refused.status, 1);
});
