// SPDX-License-Identifier: MIT
// Builds the package: both wasm variants, the TypeScript made from the core's schema, then dist/.
import { rmSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { modules, variants } from './build/entries.mjs';
import { writeEntries } from './build/write_entries.mjs';
import { cmakeBuild } from './lib/cmake.mjs';
import { at, filesUnder, fingerprint, readIfThere } from './lib/files.mjs';
import { isProgram, main, runQuietly } from './lib/process.mjs';
import { step } from './lib/steps.mjs';
import { setup } from './setup.mjs';

/** Needs what `setup` found. */
export async function build(found) {
  for (const variant of variants) {
    const schemas = variant === 'simd' ? ['maskflow_schema', 'maskflow_schema_recurrent'] : [];
    const targets = [...modules.map(({ target }) => target), ...schemas];
    await step(`wasm ${variant}`, () => cmakeBuild(`wasm-${variant}`, targets, found.env));
  }
  await step('generated TypeScript', generate);
  await step('package', () => makePackage(found.env));
}

/** The schemas as the core prints them, in build/: of everything, and what is in the recurrent module. */
export function writeSchemas() {
  return Promise.all(
    ['schema', 'schema_recurrent'].map(async (name) => {
      const path = at('build', `${name}.json`);
      const schema = await runQuietly('node', [at('build', 'wasm-simd', `maskflow_${name}.cjs`)]);
      if (readIfThere(path) !== schema) writeFileSync(path, schema);
      return path;
    }),
  );
}

/** Makes what is made from the schemas. */
export async function writeGenerated(schemas) {
  await runQuietly('node', [at('scripts', 'generate.mjs'), ...schemas]);
  await runQuietly('node', [at('scripts', 'support-table.mjs'), schemas[0]]);
}

/** What is made from the schema and committed. */
export const generatedFiles = () => [
  ...filesUnder('web/src', /\.gen\.ts$/),
  ...filesUnder('docs', /\/layers\.md$/),
];

async function generate() {
  writeEntries();
  const schemas = await writeSchemas();
  const makers = ['generate.mjs', 'support-table.mjs'].map((name) => at('scripts', name));
  return unlessFresh(
    at('build', '.generated'),
    () => [
      ...schemas,
      ...makers,
      ...filesUnder('scripts/generate'),
      ...generatedFiles(),
      ...filesUnder('tests/fixtures/layers'),
    ],
    () => writeGenerated(schemas),
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
      // Imported late: in a fresh clone esbuild is there only once the set-up has run.
      const { bundle } = await import('./build/bundle.mjs');
      const { writeChunks } = await import('./build/chunks.mjs');
      const { writeIife } = await import('./build/iife.mjs');
      const { addLicenses } = await import('./build/licenses.mjs');
      const { writeTypes } = await import('./build/types.mjs');
      const made = filesUnder('dist').filter(
        (path) => !/^(page|site)\b/.test(relative(at('dist'), path)),
      );
      for (const path of made) rmSync(path);
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
  return 'made';
}

if (isProgram(import.meta.url)) {
  await main(async () => build(await setup()));
}
