// SPDX-License-Identifier: MIT
// The files that are generated from the core's schema and committed: classes and functions in
// TypeScript, and the table of layers in the docs.
import { existsSync, writeFileSync } from 'node:fs';
import { cmakeBuild } from '../lib/cmake.mjs';
import { at, filesUnder, readIfThere, unlessFresh } from '../lib/files.mjs';
import { output, runQuietly } from '../lib/process.mjs';
import { writeEntries } from './write_entries.mjs';

export const generatedFiles = () => [
  ...filesUnder('web/src', /\.gen\.ts$/),
  ...filesUnder('docs', /\/layers\.md$/),
];

const inputs = () => [
  ...filesUnder('src'),
  ...filesUnder('bindings', /schema\w*\.cpp$/),
  at('CMakeLists.txt'),
  ...filesUnder('scripts/generate'),
  ...['generate.mjs', 'support-table.mjs'].map((name) => at('scripts', name)),
  ...filesUnder('tests/fixtures/layers'),
  ...filesUnder('tests/fixtures/train_layers'),
  ...generatedFiles(),
];

/** Returns whether git has all inputs unchanged; then the committed files are up to date. */
function isCommitted() {
  const paths = [
    ...['src', 'bindings', 'CMakeLists.txt', 'scripts/generate', 'scripts/generate.mjs'],
    ...['scripts/support-table.mjs', 'tests/fixtures/layers', 'tests/fixtures/train_layers'],
    ...['web/src', 'docs/layers.md'],
  ];
  return output('git', ['status', '--porcelain', '--', ...paths]) === '';
}

/** Writes the files that are generated from the schema, which the program of a preset prints. */
async function writeGenerated(preset) {
  const program = at('build', preset, 'maskflow_schema');
  const script = `${program}.cjs`;
  const schema = existsSync(script)
    ? await runQuietly('node', [script])
    : await runQuietly(program, []);
  const path = at('build', 'schema.json');
  if (readIfThere(path) !== schema) writeFileSync(path, schema);
  await runQuietly('node', [at('scripts', 'generate.mjs'), path]);
  await runQuietly('node', [at('scripts', 'support-table.mjs'), path]);
}

/**
 * Writes the generated files again if their inputs have changed. In a fresh clone the committed
 * files are kept; `npm run check` compares them. `preset` is a build with the option MASKFLOW_DOCS.
 */
export function generate(env, preset = 'wasm-dev') {
  writeEntries();
  const stamp = at('build', '.generated');
  return unlessFresh(stamp, inputs, async () => {
    if (!existsSync(stamp) && isCommitted()) return 'as committed';
    await cmakeBuild(preset, ['maskflow_schema'], env);
    await writeGenerated(preset);
  });
}

/**
 * Writes the generated files from the current schema, even if they are up to date. Uses the objects
 * of the native tests if they are built, otherwise those of the development build.
 */
export async function generateAgain(env) {
  const native = existsSync(at('build', 'sanitize', 'build.ninja'));
  const preset = native ? 'sanitize' : 'wasm-dev';
  const target = 'maskflow_schema';
  if (native) await runQuietly('cmake', ['--build', '--preset', preset, '--target', target]);
  else await cmakeBuild(preset, [target], env);
  await writeGenerated(preset);
}
