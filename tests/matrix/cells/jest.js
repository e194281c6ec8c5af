// SPDX-License-Identifier: MIT
// Jest without a configuration: tests are CommonJS. And with its jsdom environment.
import { same } from '../lib/judge.js';
import { cjsBody, cjsHead } from '../lib/entries.js';

const test = (environment) => `/** @jest-environment ${environment} */
${cjsHead}
test('computes', async () => {${cjsBody()}}, 100_000);`;

const programs = ['core', 'load', 'text', 'worker', 'pool'];
const noImport = 'A dynamic import callback was invoked without --experimental-vm-modules';
const reason =
  'The CommonJS files fetch the wasm by `import()`, which contexts of node:vm do not have without this option.';

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

export const how = 'one test, CommonJS, no configuration; Jest has to end by itself';
const jsdom = ['jest-environment-jsdom 30.5.2'];
const env = { NODE_OPTIONS: '--experimental-vm-modules' };
export const cells = [
  cell('Jest', 'node', { known: same(programs, noImport, reason) }),
  cell('Jest, jsdom', 'jsdom', {
    more: jsdom,
    known: {
      ...same(programs, noImport, reason),
      ...same(['load'], 'TextDecoder is not defined', 'This environment has no TextDecoder.'),
    },
  }),
  cell('Jest, --experimental-vm-modules', 'node', { env }),
  cell('Jest, jsdom, --experimental-vm-modules', 'jsdom', {
    more: jsdom,
    env,
    known: {
      ...same(programs, 'Response is not defined', 'This environment has no Response.'),
      ...same(['load'], 'TextDecoder is not defined', 'This environment has no TextDecoder.'),
    },
  }),
];
