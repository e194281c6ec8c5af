// SPDX-License-Identifier: MIT
// Bun: scripts, and a test under its own runner.
import { cjs, esm, esmBody, esmHead } from '../lib/entries.js';
import { scriptCell } from '../lib/script_cell.js';

const test = `import { test } from 'bun:test';
${esmHead}
test('computes', async () => {${esmBody()}}, 100_000);`;

const cell = scriptCell('bun', '1.4.5');

export const how = 'Each cell is a script or one test. Bun must end by itself.';
export const cells = [
  cell('Bun, ESM', 'main.mjs', esm(), ['main.mjs']),
  cell('Bun, CommonJS', 'main.cjs', cjs(), ['main.cjs']),
  cell('bun test', 'computes.test.js', test, ['test']),
];
