// SPDX-License-Identifier: MIT
// Jest without a configuration: tests are CommonJS. And with its jsdom environment.
import { cjsBody, cjsHead } from '../lib/entries.js';

const test = (environment) => `/** @jest-environment ${environment} */
${cjsHead}
test('computes', async () => {${cjsBody()}}, 100_000);`;

const cell = (name, environment, { more = [], env, ...facts }) => ({
  name,
  versions: ['jest 30.5.2', ...more].join(', '),
  async run(project) {
    await project.install(['jest@30.5.2', ...more.map((text) => text.replace(' ', '@'))], {
      manifest: {},
    });
    project.bring();
    project.write('computes.test.js', test(environment));
    await project.run('jest', [], { env });
    return project.result();
  },
  ...facts,
});

export const how =
  'Each cell is one test in CommonJS without configuration. Jest must end by itself.';
const jsdom = ['jest-environment-jsdom 30.5.2'];
const env = { NODE_OPTIONS: '--experimental-vm-modules' };
export const cells = [
  cell('Jest', 'node', {}),
  cell('Jest, jsdom', 'jsdom', { more: jsdom }),
  cell('Jest, --experimental-vm-modules', 'node', { env }),
  cell('Jest, jsdom, --experimental-vm-modules', 'jsdom', { more: jsdom, env }),
];
