// SPDX-License-Identifier: MIT
// Bun: scripts, and a test under its own runner.
import { same } from '../lib/judge.js';
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
  cell('Bun, CommonJS', 'main.cjs', cjs(), ['main.cjs'], {
    known: same(
      ['cell'],
      'no result was written',
      'Bun 1.4.5 ends a program while `WebAssembly.compileStreaming` is under way, with code 0 and without a word: nothing after `ready()` runs. So does an ES module that awaits nothing at its top. A timer, or top-level `await`, keeps it alive.',
    ),
  }),
  cell('bun test', 'computes.test.js', test, ['test']),
];
