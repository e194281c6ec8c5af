// SPDX-License-Identifier: MIT
// Puts the wasm and Emscripten's glue into dist/, as files and as scripts.
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { at, digest } from '../lib/files.mjs';
import { kept } from '../lib/kept.mjs';
import { Failure, runQuietly } from '../lib/process.mjs';
import { builds, usualVariants } from './entries.mjs';
import { compiledAtOnce } from './eager.mjs';
import { packageGlue } from './glue.mjs';

const built = (name) => at('build', 'wasm', name);

const packers = [
  'chunks',
  'function_order',
  'gzip',
  'pack_wasm',
  'wasm_mark',
  'wasm_patch',
  'wasm_sections',
].map((name) => at('scripts', 'build', `${name}.mjs`));

/**
 * Writes the parts of the package that are loaded on demand: Emscripten's glue, and the wasm of
 * each module and variant as a JavaScript module, so that bundlers need no settings for an asset.
 *
 * @param env Environment with the path of Emscripten.
 */
export async function writeChunks(env) {
  mkdirSync(at('dist', 'chunks'), { recursive: true });
  const glue = await packageGlue(commonGlue());
  writeFileSync(at('dist', 'chunks', 'glue.js'), compiledAtOnce(glue.esm));
  // CommonJS requires it, because some test runners lack import().
  writeFileSync(at('dist', 'chunks', 'glue.cjs'), compiledAtOnce(glue.cjs));
  const packing = new Map();
  const start = (build) => {
    const base = builds.find(({ name }) => name === build.base);
    if (!packing.has(build.name)) {
      packing.set(build.name, packAfter(base && start(base), build, env));
    }
    return packing.get(build.name);
  };
  for (const build of builds) start(build);
  await Promise.all([...packing.values()].map(async (packed) => writeChunk(await packed)));
}

async function packAfter(base, build, env) {
  return { ...build, path: await pack(build, (await base)?.path, env) };
}

function writeChunk({ name, path, hasFile }) {
  if (hasFile) copyFileSync(`${path}.wasm`, at('dist', `maskflow-${name}.wasm`));
  // Compresses the wasm before it becomes base64, because base64 of plain wasm hardly compresses.
  const text = readFileSync(`${path}.gz`).toString('base64');
  writeFileSync(at('dist', 'chunks', `${name}.js`), `export default "${text}";\n`);
}

/**
 * Packs a module, unless a clone on this machine has packed it. `base` is the path of the module
 * that it is stored as a difference from. Returns the path of the files without their extension.
 */
async function pack({ target, name }, base, env) {
  const wasm = built(`${target}.wasm`);
  const files = [wasm, ...(base ? [`${base}.wasm`, `${base}.order`] : []), ...packers];
  const inputs = [name, env.MASKFLOW_EMSCRIPTEN, ...files.map(digest)];
  const program = at('scripts', 'build', 'pack_wasm.mjs');
  const folder = await kept('packed', inputs, (made) =>
    runQuietly('node', [program, wasm, join(made, name), ...(base ? [base] : [])], { env }),
  );
  return join(folder, name);
}

/**
 * Returns the glue, which is the same for every module and variant; see scripts/cmake/wasm.cmake.
 * It also serves the variants for threads, whose own glue only has exports in addition.
 */
function commonGlue() {
  const usual = builds.filter(({ variant }) => usualVariants.includes(variant));
  const glues = usual.map(({ target }) =>
    readFileSync(built(`${target}.mjs`), 'utf8').replaceAll(`${target}.wasm`, 'maskflow.wasm'),
  );
  // Compares the statements in sorted order: the linker's order of exports varies, but exports are
  // found by name.
  const statements = (text) => text.split(/[;\n]/).sort().join('\n');
  if (glues.some((glue) => statements(glue) !== statements(glues[0]))) {
    throw new Failure(
      'The glue of the modules differs, but the package contains only one; see scripts/cmake/wasm.cmake.',
    );
  }
  return glues[0];
}
