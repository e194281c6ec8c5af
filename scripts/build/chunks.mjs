// SPDX-License-Identifier: MIT
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { transform } from 'esbuild';
import { gzipAsync } from '@gfx/zopfli';
import { at } from '../lib/files.mjs';
import { Failure } from '../lib/process.mjs';

const built = (variant, name) => at('build', `wasm-${variant}`, name);

/**
 * The parts of the package that are loaded on demand: Emscripten's glue, and each variant's wasm as a
 * JavaScript module, so that no bundler has to be told about an asset.
 */
export async function writeChunks(variants) {
  mkdirSync(at('dist', 'chunks'), { recursive: true });
  writeFileSync(at('dist', 'chunks', 'glue.js'), await minify(commonGlue(variants)));
  for (const variant of variants) {
    const wasm = built(variant, 'maskflow.wasm');
    copyFileSync(wasm, at('dist', `maskflow-${variant}.wasm`));
    // Packed before it becomes text: a server's compression finds little to gain in base64 of wasm.
    // Zopfli takes seconds and saves one byte in twenty.
    const packed = await gzipAsync(readFileSync(wasm), { numiterations: 15 });
    const text = Buffer.from(packed).toString('base64');
    writeFileSync(at('dist', 'chunks', `${variant}.js`), `export default "${text}";\n`);
  }
}

/** One glue serves every variant; scripts/cmake/wasm.cmake sees to it. */
function commonGlue(variants) {
  const [glue, ...others] = variants.map((variant) =>
    readFileSync(built(variant, 'maskflow.mjs'), 'utf8'),
  );
  // The linker lists exports in an order of its own, which means nothing: they are found by name.
  const statements = (text) => text.split(/[;\n]/).sort().join('\n');
  if (others.some((other) => statements(other) !== statements(glue))) {
    throw new Failure(
      `The glue of the variants ${variants.join(', ')} differs; one is shipped for all.`,
    );
  }
  return glue;
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
