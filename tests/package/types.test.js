// SPDX-License-Identifier: MIT
// A strict TypeScript project compiles the programs of the README and the guide. The matrix
// compiles them with other versions of TypeScript.
import { after, before, suite, test } from 'node:test';
import { at } from '../../scripts/lib/files.mjs';
import { makeConsumer, node } from './support/consumer.js';
import { typedFiles, typedProjects, typedSettings } from './support/typed_projects.js';

const projects = {
  ...typedProjects,
  // TypeScript 6 still supports node10, but warns.
  'moduleResolution node10': [
    'main.ts',
    { module: 'commonjs', moduleResolution: 'node10', ignoreDeprecations: '6.0' },
  ],
  'lib without dom, types of Node': [
    'node.mts',
    {
      ...typedProjects['lib without dom, node16'][1],
      types: ['node'],
      typeRoots: [at('node_modules', '@types')],
    },
  ],
};

suite('types of the installed package', () => {
  let consumer;
  before(() => {
    consumer = makeConsumer(typedFiles);
  });
  after(() => consumer?.remove());

  for (const [title, project] of Object.entries(projects)) {
    test(`a strict program compiles: ${title}`, () => {
      consumer.write('tsconfig.json', typedSettings(project));
      node(
        consumer.folder,
        at('node_modules', 'typescript', 'bin', 'tsc'),
        '-p',
        '.',
        '--pretty',
        'false',
      );
    });
  }
});
