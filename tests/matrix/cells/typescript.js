// SPDX-License-Identifier: MIT
// Versions of TypeScript: the oldest that the README names, and those since.
import { typedFiles, typedProjects, typedSettings } from '../../package/support/typed_projects.js';
import { Failure } from '../../../scripts/lib/process.mjs';

/** Returns 'ok', or the first error of the compiler. */
async function compile(project) {
  try {
    await project.run('tsc', ['-p', '.', '--pretty', 'false']);
    return 'ok';
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return /.*error TS.*/.exec(error.message)?.[0] ?? error.message;
  }
}

/** Defines the cell of a version; `options` are compiler options for all projects. */
const cell = (version, name = '', options = {}) => ({
  name: `TypeScript ${version.split('.').slice(0, 2).join('.')}${name}`,
  versions: `typescript ${version}`,
  limit: 300,
  async run(project) {
    await project.install([`typescript@${version}`]);
    for (const [path, text] of Object.entries(typedFiles)) project.write(path, text);
    const answers = {};
    for (const [title, [file, own]] of Object.entries(typedProjects)) {
      project.write('tsconfig.json', typedSettings([file, { ...own, ...options }]));
      answers[title] = await compile(project);
    }
    return { answers };
  },
});

export const how = [
  'Each cell compiles the strict projects of `tests/package/types`: right and wrong programs, with',
  'and without the types of a page, from ES modules, CommonJS and scripts.',
].join(' ');
export const cells = [
  cell('5.2.2', ', skipLibCheck', { skipLibCheck: true }),
  cell('5.7.3'),
  cell('5.9.3'),
  cell('6.0.3'),
  cell('7.0.2'),
];
