// SPDX-License-Identifier: MIT
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { rolldown } from 'rolldown';
import { at } from '../lib/files.mjs';
import { Failure } from '../lib/process.mjs';

/** What a user can import: maskflow, maskflow/recurrent, maskflow/text. */
export const entries = ['index', 'recurrent', 'text'];

const source = (name) => at('web', 'src', `${name}.ts`);
const command = { cli: at('web', 'cli', 'main.ts') };

/** What maskflow/recurrent imports, but for what is its own: one chunk that all entries share. */
async function sharedModules(bundle) {
  const own = new Set(['recurrent', 'recurrent_ready'].map(source));
  const reached = new Set();
  const visit = (id) => {
    if (reached.has(id)) return;
    reached.add(id);
    for (const next of bundle.imports.get(id) ?? []) visit(next);
  };
  visit(source('recurrent'));
  return new Set([...reached].filter((id) => !own.has(id)));
}

/** The sources with their graph; the chunks beside the entries are written by chunks.mjs and stay as they are. */
async function read(input) {
  const imports = new Map();
  const bundle = await rolldown({
    input,
    cwd: at(),
    platform: 'neutral',
    external: [/^node:/, /^\.\/chunks\//],
    makeAbsoluteExternalsRelative: false,
    transform: { target: 'es2022' },
    treeshake: { moduleSideEffects: false },
    // Else what the command shares with others may be put into the file that runs it.
    experimental: { chunkOptimization: false },
    plugins: [
      {
        name: 'graph',
        buildEnd() {
          for (const id of this.getModuleIds()) {
            imports.set(id, this.getModuleInfo(id)?.importedIds ?? []);
          }
        },
      },
    ],
  });
  return Object.assign(bundle, { imports });
}

async function write(input, extension, format) {
  const bundle = await read(input);
  await bundle.generate({ format });
  const shared = await sharedModules(bundle);
  await bundle.write({
    dir: at('dist'),
    format,
    minify: true,
    // Stack traces are read through these; a page does not fetch them.
    sourcemap: true,
    entryFileNames: `[name]${extension}`,
    chunkFileNames: `[name]-[hash]${extension}`,
    codeSplitting: { groups: [{ name: 'core', test: (id) => shared.has(id) }] },
  });
  await bundle.close();
}

export async function bundle() {
  const input = Object.fromEntries(entries.map((name) => [name, source(name)]));
  try {
    // The command shares the package's state; it is no CommonJS module.
    await write({ ...input, ...command }, '.js', 'esm');
    await write(input, '.cjs', 'cjs');
  } catch (error) {
    throw new Failure(error.message);
  }
  makeProgram(at('dist', 'cli.js'));
}

/** npm links commands to files that say what runs them. */
function makeProgram(path) {
  const text = readFileSync(path, 'utf8');
  if (!text.startsWith('#!')) writeFileSync(path, `#!/usr/bin/env node\n${text}`);
  chmodSync(path, 0o755);
}
