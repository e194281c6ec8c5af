// SPDX-License-Identifier: MIT
// Node's own test runner, which waits for a test file to end by itself.
import { cjsBody, cjsHead, esmBody, esmHead } from '../lib/entries.js';

const cell = (name, file, text) => ({
  name,
  versions: 'node 24.21.0',
  async run(project) {
    await project.install();
    project.bring();
    project.write(file, text);
    await project.run('node', ['--test']);
    return project.result();
  },
});

const test = (body) => `test('computes', async () => {${body}});`;

export const how = 'Each cell is one test file, run by `node --test`.';
export const cells = [
  cell(
    'node:test, ESM',
    'computes.test.mjs',
    `import { test } from 'node:test';\n${esmHead}\n${test(esmBody())}`,
  ),
  cell(
    'node:test, CommonJS',
    'computes.test.cjs',
    `const { test } = require('node:test');\n${cjsHead}\n${test(cjsBody())}`,
  ),
];
