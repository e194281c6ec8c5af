// SPDX-License-Identifier: MIT
// A strict TypeScript project compiles the programs of the README and the guide, with TypeScript 7
// and, where it differs, with version 6. The matrix compiles them with other versions.
import { after, before, suite, test } from 'node:test';
import { at } from '../../scripts/lib/files.mjs';
import { tsc } from '../../scripts/lib/tsc.mjs';
import { makeConsumer, node } from './support/consumer.js';
import { typedFiles, typedProjects, typedSettings } from './support/typed_projects.js';

const tsc6 = at('node_modules', 'typescript', 'bin', 'tsc');

/** Projects that TypeScript 6 compiles. */
const olderProjects = {
  'right programs, by TypeScript 6': typedProjects['right programs'],
  'wrong programs, each refused by TypeScript 6': typedProjects['wrong programs, each refused'],
  // Version 6 still supports node10, but warns; version 7 does not.
  'moduleResolution node10': [
    'main.ts',
    { module: 'commonjs', moduleResolution: 'node10', ignoreDeprecations: '6.0' },
  ],
};
const projects = {
  ...typedProjects,
  ...olderProjects,
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
      const compiler = title in olderProjects ? tsc6 : tsc;
      node(consumer.folder, compiler, '-p', '.', '--pretty', 'false');
    });
  }
});
