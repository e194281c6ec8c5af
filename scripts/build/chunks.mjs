// SPDX-License-Identifier: MIT
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { transform } from 'esbuild';
import { at, digest, readIfThere } from '../lib/files.mjs';
import { Failure, runQuietly } from '../lib/process.mjs';
import { modules, variants } from './entries.mjs';
import { compiledAtOnce } from './eager.mjs';

const built = (variant, name) => at('build', `wasm-${variant}`, name);

const packers = ['chunks', 'function_order', 'pack_wasm', 'wasm_mark', 'wasm_sections'].map(
  (name) => at('scripts', 'build', `${name}.mjs`),
);

/**
 * The parts of the package that are loaded on demand: Emscripten's glue, and each module's wasm in each
 * variant as a JavaScript module, so that no bundler has to be told about an asset.
 *
 * @param env Says where Emscripten is.
 */
export async function writeChunks(env) {
  mkdirSync(at('dist', 'chunks'), { recursive: true });
  mkdirSync(at('build', 'packed'), { recursive: true });
  const glue = await minify(commonGlue());
  writeFileSync(at('dist', 'chunks', 'glue.js'), compiledAtOnce(glue));
  // CommonJS requires it: not everything that runs CommonJS can import().
  const { code } = await transform(glue, { format: 'cjs', minify: true, target: 'es2022' });
  writeFileSync(at('dist', 'chunks', 'glue.cjs'), compiledAtOnce(code));
  const all = variants.flatMap((variant) =>
    modules.map(({ target, prefix }) =>
      writeChunk(built(variant, `${target}.wasm`), `${prefix}${variant}`, env),
    ),
  );
  await Promise.all(all);
}

async function writeChunk(wasm, name, env) {
  const packed = await pack(wasm, name, env);
  copyFileSync(`${packed}.wasm`, at('dist', `maskflow-${name}.wasm`));
  // Packed before it becomes text: a server's compression finds little to gain in base64 of wasm.
  const text = readFileSync(`${packed}.gz`).toString('base64');
  writeFileSync(at('dist', 'chunks', `${name}.js`), `export default "${text}";\n`);
}

/** Packing takes seconds: what was packed before is kept. Gives the path of the files without its ending. */
async function pack(wasm, name, env) {
  const packed = at('build', 'packed', name);
  const state = [wasm, ...packers].map(digest).join(' ');
  if (readIfThere(`${packed}.state`) === state) return packed;
  await runQuietly('node', [at('scripts', 'build', 'pack_wasm.mjs'), wasm, packed], { env });
  writeFileSync(`${packed}.state`, state);
  return packed;
}

/** One glue serves every module and variant; scripts/cmake/wasm.cmake sees to it. */
function commonGlue() {
  const glues = variants.flatMap((variant) =>
    modules.map(({ target }) => {
      const glue = readFileSync(built(variant, `${target}.mjs`), 'utf8');
      return glue.replaceAll(`${target}.wasm`, 'maskflow.wasm');
    }),
  );
  // The linker lists exports in an order of its own, which means nothing: they are found by name.
  const statements = (text) => text.split(/[;\n]/).sort().join('\n');
  if (glues.some((glue) => statements(glue) !== statements(glues[0]))) {
    throw new Failure('The glue of the modules differs; one is shipped for all.');
  }
  return glues[0];
}

/**
 * The caller always brings the wasm; bundlers would chase the address the glue knows it by. And the glue is that for pages, in Node,
 * too: it needs no `process`, for which some bundlers install a stand-in.
 */
async function minify(source) {
  const { code } = await transform(source, {
    minify: true,
    format: 'esm',
    target: 'es2022',
    define: { 'import.meta.url': '"file:///"', process: 'undefined' },
  });
  return code;
}
