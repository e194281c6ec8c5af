// SPDX-License-Identifier: MIT
// Bun: scripts, and a test under its own runner.
import { cjs, esm, esmBody, esmHead } from '../lib/entries.js';

const test = `import { test } from 'bun:test';
${esmHead}
test('computes', async () => {${esmBody()}}, 100_000);`;

const cell = (name, file, text, args, facts = {}) => ({
  name,
  versions: 'bun 1.4.5',
  async run(project) {
    await project.install(['bun@1.4.5']);
    project.bring();
    project.write(file, text);
    await project.run('bun', args);
    return project.result();
  },
  ...facts,
});

export const how = 'a script or one test; Bun has to end by itself';
export const cells = [
  cell('Bun, ESM', 'main.mjs', esm(), ['main.mjs']),
  cell('Bun, CommonJS', 'main.cjs', cjs(), ['main.cjs']),
  cell('bun test', 'computes.test.js', test, ['test']),
];
