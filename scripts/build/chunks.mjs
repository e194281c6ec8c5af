// SPDX-License-Identifier: MIT
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { transform } from 'esbuild';
import { gzipAsync } from '@gfx/zopfli';
import { at } from '../lib/files.mjs';
import { Failure } from '../lib/process.mjs';
import { compiledAtOnce } from './eager.mjs';
import { inFunctionOrder } from './function_order.mjs';

const built = (variant, name) => at('build', `wasm-${variant}`, name);

/**
 * The parts of the package that are loaded on demand: Emscripten's glue, and each module's wasm in each
 * variant as a JavaScript module, so that no bundler has to be told about an asset.
 *
 * @param modules Names of wasm files, and what their chunks' names begin with.
 * @param env Says where Emscripten is.
 */
export async function writeChunks(variants, modules, env) {
  mkdirSync(at('dist', 'chunks'), { recursive: true });
  const glue = await minify(commonGlue(variants, modules));
  writeFileSync(at('dist', 'chunks', 'glue.js'), compiledAtOnce(glue));
  for (const variant of variants) {
    for (const [name, prefix] of Object.entries(modules)) {
      const wasm = await inFunctionOrder(built(variant, `${name}.wasm`), env);
      await writeChunk(wasm, `${prefix}${variant}`);
    }
  }
}

async function writeChunk(wasm, name) {
  writeFileSync(at('dist', `maskflow-${name}.wasm`), wasm);
  // Packed before it becomes text: a server's compression finds little to gain in base64 of wasm.
  // Zopfli takes seconds and saves one byte in twenty.
  const packed = await gzipAsync(wasm, { numiterations: 15 });
  const text = Buffer.from(packed).toString('base64');
  writeFileSync(at('dist', 'chunks', `${name}.js`), `export default "${text}";\n`);
}

/** One glue serves every module and variant; scripts/cmake/wasm.cmake sees to it. */
function commonGlue(variants, modules) {
  const glues = variants.flatMap((variant) =>
    Object.keys(modules).map((name) => {
      const glue = readFileSync(built(variant, `${name}.mjs`), 'utf8');
      return glue.replaceAll(`${name}.wasm`, 'maskflow.wasm');
    }),
  );
  // The linker lists exports in an order of its own, which means nothing: they are found by name.
  const statements = (text) => text.split(/[;\n]/).sort().join('\n');
  if (glues.some((glue) => statements(glue) !== statements(glues[0]))) {
    throw new Failure('The glue of the modules differs; one is shipped for all.');
  }
  return glues[0];
}

/** The caller always brings the wasm; bundlers would chase the address the glue knows it by. */
async function minify(source) {
  const { code } = await transform(source, {
    minify: true,
    format: 'esm',
    target: 'es2022',
    define: { 'import.meta.url': '"file:///"' },
  });
  return code;
}
