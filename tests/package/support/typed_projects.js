// SPDX-License-Identifier: MIT
// Strict TypeScript projects that use the package, each with the settings of a kind of project.
import { readFileSync } from 'node:fs';

const read = (name) => readFileSync(new URL(`../types/${name}`, import.meta.url), 'utf8');
const [readme, bare] = [read('readme.ts'), read('bare.ts')];
const page = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8');

/** The programs in the README, which are JavaScript, as strict TypeScript. */
const programs = [...page.matchAll(/```js\n(import [^`]*?(?:`[^`\n]*`[^`]*?)*)```/g)].map(
  ([, text]) => text,
);
if (programs.length < 4) throw new Error(`found ${programs.length} programs in README.md`);
const programFiles = Object.fromEntries(programs.map((text, i) => [`program_${i}.mts`, text]));

/** The files of all projects, texts by path. */
export const typedFiles = {
  'main.ts': readme,
  'main.mts': readme,
  'main.cts': readme,
  'bare.ts': bare,
  'bare.mts': bare,
  'node.mts': read('node.ts'),
  'script.ts': read('script.ts'),
  'right.ts': read('right.ts'),
  'wrong.ts': read('wrong.ts'),
  'train.ts': read('train.ts'),
  ...programFiles,
};

const bundler = { module: 'esnext', moduleResolution: 'bundler' };
const node16 = { module: 'node16', moduleResolution: 'node16' };

/** File and compiler options of each project, which all versions of TypeScript accept. */
export const typedProjects = {
  'right programs': ['right.ts', bundler],
  'wrong programs, each refused': ['wrong.ts', bundler],
  'programs that train, right and wrong': ['train.ts', bundler],
  'the global of a script': ['script.ts', { ...bundler, moduleDetection: 'auto' }],
  'moduleResolution node16, from ESM': ['main.mts', node16],
  'moduleResolution node16, from CommonJS': ['main.cts', node16],
  'moduleResolution bundler': ['main.ts', bundler],
  'moduleResolution bundler, verbatim and isolated': [
    'main.ts',
    { ...bundler, verbatimModuleSyntax: true, isolatedModules: true },
  ],
  'lib without dom, bundler': ['bare.ts', { ...bundler, lib: ['es2022'] }],
  'lib without dom, node16': ['bare.mts', { ...node16, lib: ['es2022'] }],
  ...Object.fromEntries(
    Object.keys(programFiles).map((name) => [
      `README.md, ${name}`,
      [name, { ...node16, noUncheckedIndexedAccess: false }],
    ]),
  ),
};

/** Returns the text of tsconfig.json for a project. */
export const typedSettings = ([file, options]) =>
  JSON.stringify({
    compilerOptions: {
      target: 'ES2022',
      strict: true,
      noEmit: true,
      types: [],
      noUncheckedIndexedAccess: true,
      noImplicitOverride: true,
      exactOptionalPropertyTypes: true,
      // Also checks the package's declarations.
      skipLibCheck: false,
      ...options,
    },
    files: [file],
  });
