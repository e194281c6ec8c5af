// SPDX-License-Identifier: MIT
// Builds the package: both wasm variants, the TypeScript made from the core's schema, then dist/.
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { cmakeBuild } from './lib/cmake.mjs';
import { at, filesUnder, fingerprint, readIfThere } from './lib/files.mjs';
import { isProgram, main, runQuietly } from './lib/process.mjs';
import { step } from './lib/steps.mjs';
import { setup } from './setup.mjs';

export const variants = ['simd', 'relaxed'];

/** Needs what `setup` found. */
export async function build(found) {
  for (const variant of variants) {
    const targets = variant === 'simd' ? ['maskflow', 'maskflow_schema'] : ['maskflow'];
    await step(`wasm ${variant}`, () => cmakeBuild(`wasm-${variant}`, targets, found.env));
  }
  await step('generated TypeScript', generate);
  await step('package', makePackage);
}

/** The schema as the core prints it, in build/schema.json. */
export async function writeSchema() {
  const path = at('build', 'schema.json');
  const schema = await runQuietly('node', [at('build', 'wasm-simd', 'maskflow_schema.cjs')]);
  if (readIfThere(path) !== schema) writeFileSync(path, schema);
  return path;
}

/** What is made from the schema and committed. */
export const generatedFiles = () => [
  ...filesUnder('web/src', /\.gen\.ts$/),
  ...filesUnder('docs', /\/layers\.md$/),
];

async function generate() {
  const generator = at('scripts', 'generate.mjs');
  const schema = await writeSchema();
  if (!existsSync(generator)) return 'no generator';
  const table = at('scripts', 'support-table.mjs');
  return unlessFresh(
    at('build', '.generated'),
    () => [schema, generator, table, ...generatedFiles(), ...filesUnder('tests/fixtures/layers')],
    async () => {
      await runQuietly('node', [generator, schema]);
      await runQuietly('node', [table, schema]);
    },
  );
}

function makePackage() {
  const wasm = variants.map((variant) => at('build', `wasm-${variant}`, 'maskflow.wasm'));
  const settings = ['package.json', 'package-lock.json', 'tsconfig.json', 'scripts/build.mjs'];
  return unlessFresh(
    at('dist', '.built'),
    () => [
      ...wasm,
      ...settings.map((name) => at(name)),
      ...filesUnder('web/src'),
      ...filesUnder('scripts/build'),
    ],
    async () => {
      // Imported late: in a fresh clone esbuild is there only once the set-up has run.
      const { bundle } = await import('./build/bundle.mjs');
      const { writeChunks } = await import('./build/chunks.mjs');
      const { writeTypes } = await import('./build/types.mjs');
      for (const path of filesUnder('dist')) if (!path.startsWith(at('dist', 'demo'))) rmSync(path);
      await writeChunks(variants);
      await bundle();
      await writeTypes();
    },
  );
}

async function unlessFresh(stamp, inputs, make) {
  if (readIfThere(stamp) === fingerprint(inputs())) return 'up to date';
  await make();
  writeFileSync(stamp, fingerprint(inputs()));
  return 'made';
}

if (isProgram(import.meta.url)) {
  await main(async () => build(await setup()));
}
