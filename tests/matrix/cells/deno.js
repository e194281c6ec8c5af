// SPDX-License-Identifier: MIT
// Deno with node_modules as npm made it: scripts, and a test under its own runner.
import { cjs, esm, esmBody } from '../lib/entries.js';
import { scriptCell } from '../lib/script_cell.js';

// Contains no node: modules, because Deno checks the types of a test that imports a typed package,
// and would ask for @types/node.
const test = `import { check } from './check.mjs';
const writeFileSync = Deno.writeTextFileSync;
Deno.test('computes', async () => {${esmBody()}});`;

const cell = scriptCell('deno', '2.9.6');

export const how =
  'Each cell is a script or one test. It has all permissions, or those that its name says.';
export const cells = [
  cell('Deno, ESM', 'main.mjs', esm(), ['run', '-A', 'main.mjs']),
  cell('Deno, CommonJS', 'main.cjs', cjs(), ['run', '-A', 'main.cjs']),
  cell('Deno, reads and writes its folder only', 'main.mjs', esm(), [
    'run',
    '--no-prompt',
    '--allow-read=.',
    '--allow-write=.',
    'main.mjs',
  ]),
  cell('deno test', 'computes_test.js', test, ['test', '-A']),
];
