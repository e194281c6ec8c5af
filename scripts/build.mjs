// SPDX-License-Identifier: MIT
// Builds the package: both wasm variants, the TypeScript made from the core's schema, then dist/.
import { rmSync } from 'node:fs';
import { relative } from 'node:path';
import { builds } from './build/entries.mjs';
import { generate } from './build/generated.mjs';
import { cmakeBuild } from './lib/cmake.mjs';
import { at, filesUnder, unlessFresh } from './lib/files.mjs';
import { isProgram, main } from './lib/process.mjs';
import { step } from './lib/steps.mjs';
import { setup } from './setup.mjs';

/** Builds with the tools that `setup` found. */
export async function build(tools) {
  const targets = builds.map(({ target }) => target);
  await step('wasm', () => cmakeBuild('wasm', targets, tools.env));
  await step('generated TypeScript', () => generate(tools.env));
  await step('package', () => makePackage(tools.env));
}

function makePackage(env) {
  const wasm = builds.map(({ target }) => at('build', 'wasm', `${target}.wasm`));
  const settings = ['package.json', 'package-lock.json', 'tsconfig.json', 'scripts/build.mjs'];
  return unlessFresh(
    at('dist', '.built'),
    () => [
      ...wasm,
      ...settings.map((name) => at(name)),
      ...filesUnder('web/src'),
      ...filesUnder('web/cli'),
      ...filesUnder('scripts/build'),
    ],
    async () => {
      // Imports the bundler late: in a fresh clone, setup installs esbuild first.
      const { bundle } = await import('./build/bundle.mjs');
      const { writeChunks } = await import('./build/chunks.mjs');
      const { writeIife } = await import('./build/iife.mjs');
      const { addLicenses } = await import('./build/licenses.mjs');
      const { writeTypes } = await import('./build/types.mjs');
      const oldFiles = filesUnder('dist').filter(
        (path) => !/^(page|site)\b/.test(relative(at('dist'), path)),
      );
      for (const path of oldFiles) rmSync(path);
      await writeChunks(env);
      const filesOf = await bundle();
      await writeIife();
      addLicenses(filesOf);
      await writeTypes();
    },
  );
}

if (isProgram(import.meta.url)) {
  await main(async () => build(await setup()));
}
