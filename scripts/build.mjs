// SPDX-License-Identifier: MIT
// Builds the package: both wasm variants, the TypeScript that is generated from the core's schema, and dist/.
import { rmSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { modules, variants } from './build/entries.mjs';
import { writeEntries } from './build/write_entries.mjs';
import { cmakeBuild } from './lib/cmake.mjs';
import { at, filesUnder, fingerprint, readIfThere } from './lib/files.mjs';
import { isProgram, main, runQuietly } from './lib/process.mjs';
import { step } from './lib/steps.mjs';
import { setup } from './setup.mjs';

/** Builds with the tools that `setup` found. */
export async function build(tools) {
  for (const variant of variants) {
    const schema = variant === 'simd' ? ['maskflow_schema'] : [];
    const targets = [...modules.map(({ target }) => target), ...schema];
    await step(`wasm ${variant}`, () => cmakeBuild(`wasm-${variant}`, targets, tools.env));
  }
  await step('generated TypeScript', generate);
  await step('package', () => makePackage(tools.env));
}

/** Writes build/schema.json, which the core prints, if it has changed. */
export async function writeSchema(preset = 'wasm-simd') {
  const path = at('build', 'schema.json');
  const schema = await runQuietly('node', [at('build', preset, 'maskflow_schema.cjs')]);
  const changed = readIfThere(path) !== schema;
  if (changed) writeFileSync(path, schema);
  return { path, changed };
}

/** Generates files from the schema. */
export async function writeGenerated(schema) {
  await runQuietly('node', [at('scripts', 'generate.mjs'), schema]);
  await runQuietly('node', [at('scripts', 'support-table.mjs'), schema]);
}

/** Files that are generated from the schema and committed. */
export const generatedFiles = () => [
  ...filesUnder('web/src', /\.gen\.ts$/),
  ...filesUnder('docs', /\/layers\.md$/),
];

async function generate() {
  writeEntries();
  const { path: schema } = await writeSchema();
  const scripts = ['generate.mjs', 'support-table.mjs'].map((name) => at('scripts', name));
  return unlessFresh(
    at('build', '.generated'),
    () => [
      schema,
      ...scripts,
      ...filesUnder('scripts/generate'),
      ...generatedFiles(),
      ...filesUnder('tests/fixtures/layers'),
    ],
    () => writeGenerated(schema),
  );
}

function makePackage(env) {
  const wasm = variants.flatMap((variant) =>
    modules.map(({ target }) => at('build', `wasm-${variant}`, `${target}.wasm`)),
  );
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
      // Imported late, because a fresh clone has esbuild only after the set-up.
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
      const withReaders = await bundle();
      await writeIife();
      addLicenses(withReaders);
      await writeTypes();
    },
  );
}

async function unlessFresh(stamp, inputs, make) {
  if (readIfThere(stamp) === fingerprint(inputs())) return 'up to date';
  await make();
  writeFileSync(stamp, fingerprint(inputs()));
  return 'built';
}

if (isProgram(import.meta.url)) {
  await main(async () => build(await setup()));
}
