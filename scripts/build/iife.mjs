// SPDX-License-Identifier: MIT
import { writeFileSync } from 'node:fs';
import { rolldown } from 'rolldown';
import { at } from '../lib/files.mjs';
import { alone } from './bundle.mjs';

/**
 * The main entry as one classic script that makes the global `maskflow`: for <script src>, and for pages that are opened as
 * files, where browsers import no modules. Everything is in it, the wasm of one variant too.
 */
export async function writeIife() {
  const bundle = await rolldown({ ...alone.input, input: at('web', 'src', 'single.ts') });
  const { output } = await bundle.write({
    ...alone.output,
    file: at('dist', 'maskflow.iife.js'),
    name: 'maskflow',
    // Where it is imported as a module `var` makes no global.
    footer: 'globalThis.maskflow=maskflow;',
  });
  await bundle.close();
  writeSingle(output[0].exports);
}

/** maskflow/single: the names of that script, for `import` and `require`. */
function writeSingle(names) {
  const script = './maskflow.iife.js';
  const esm = `import '${script}';\nexport const{${names.join(',')}}=globalThis.maskflow;\n`;
  writeFileSync(at('dist', 'single.js'), esm);
  const cjs = `require('${script}');\nmodule.exports = globalThis.maskflow;\n`;
  writeFileSync(at('dist', 'single.cjs'), cjs);
}
