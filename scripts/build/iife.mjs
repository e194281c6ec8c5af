// SPDX-License-Identifier: MIT
// Builds dist/maskflow.iife.js, the classic script of the package.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { at, digest } from '../lib/files.mjs';
import { kept } from '../lib/kept.mjs';
import { bundleAlone, withClassNames } from './alone.mjs';
import { packed } from './gzip.mjs';

const file = at('dist', 'maskflow.iife.js');

/**
 * Replaces characters outside ASCII, all of which are in strings and patterns, by their escapes: a
 * page without `<meta charset>` reads scripts in the encoding of its locale.
 */
function toAscii() {
  const escaped = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/[^\0-\x7f]/g, escaped));
}

/**
 * Puts the whole wasm into the script: the chunk of this variant is a difference from another one.
 */
async function wholeWasm() {
  const wasm = at('dist', 'maskflow-simd.wasm');
  const inputs = ['whole', ...[wasm, at('scripts', 'build', 'gzip.mjs')].map(digest)];
  const folder = await kept('packed', inputs, async (made) =>
    writeFileSync(join(made, 'gz'), await packed(readFileSync(wasm))),
  );
  const text = readFileSync(join(folder, 'gz')).toString('base64');
  const chunk = './chunks/simd.js';
  return {
    name: 'whole wasm',
    resolveId: (id) => (id === chunk ? id : null),
    load: (id) => (id === chunk ? `export default "${text}";` : null),
  };
}

/** Puts the encoder for worklets in the place of the one that needs the platform. */
const ownCodecs = {
  name: 'own codecs',
  resolveId: (id, importer) =>
    id === './text_codecs.js' && importer?.endsWith('utf8.ts')
      ? at('web', 'src', 'engine', 'text_codecs_of_worklets.ts')
      : null,
};

/**
 * Writes the main entry as one classic script that sets the global `maskflow`. It is for `<script
 * src>`, and for pages opened from files, where browsers do not import modules. It contains the
 * wasm of one variant.
 */
export async function writeIife() {
  const { exports } = await bundleAlone(
    { input: at('web', 'src', 'single.ts'), plugins: [await wholeWasm(), ownCodecs] },
    {
      file,
      name: 'maskflow',
      minify: withClassNames,
      // Sets the global explicitly, because `var` in a module does not create one.
      footer: 'globalThis.maskflow=maskflow;',
    },
  );
  toAscii();
  writeSingle(exports);
}

/** Writes maskflow/single, which exports the names of that script. */
function writeSingle(names) {
  const script = './maskflow.iife.js';
  const esm = `import '${script}';\nexport const{${names.join(',')}}=globalThis.maskflow;\n`;
  writeFileSync(at('dist', 'single.js'), esm);
  const cjs = `require('${script}');\nmodule.exports = globalThis.maskflow;\n`;
  writeFileSync(at('dist', 'single.cjs'), cjs);
}
