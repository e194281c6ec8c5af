// SPDX-License-Identifier: MIT
// Vitest without a configuration, and in contexts of node:vm inside threads.
import { esmBody, esmHead } from '../lib/entries.js';

const test = `import { test } from 'vitest';
${esmHead}
test('computes', async () => {${esmBody()}}, 100_000);`;

const cell = (name, args, more = [], facts = {}) => ({
  name,
  versions: ['vitest 5.1.1', ...more].join(', '),
  async run(project) {
    await project.install(['vitest@5.1.1', ...more.map((text) => text.replace(' ', '@'))]);
    project.bring();
    project.write('computes.test.js', test);
    await project.run('vitest', ['run', ...args]);
    return project.result();
  },
  ...facts,
});

export const how = 'Each cell is one test without configuration. Vitest must end by itself.';
export const cells = [
  cell('Vitest', []),
  cell('Vitest, vmThreads', ['--pool=vmThreads']),
  cell('Vitest, jsdom', ['--environment=jsdom'], ['jsdom 31.0.1']),
];
