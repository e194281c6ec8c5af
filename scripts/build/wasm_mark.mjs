// SPDX-License-Identifier: MIT
import { readFileSync } from 'node:fs';
import { at } from '../lib/files.mjs';

/**
 * Adds a section with the version of the package, the variant, the size of the whole module in
 * bytes, and its layers. web/src/engine/wasm_mark.ts reads it.
 *
 * @param name Name of the file after `maskflow-`: 'simd', 'recurrent-relaxed'.
 */
export function withMark(wasm, name) {
  const { version } = JSON.parse(readFileSync(at('package.json'), 'utf8'));
  const [variant, layers = 'all'] = name.split('-').reverse();
  const title = Buffer.from('maskflow');
  const kCustom = 0;
  const section = (total) => {
    const text = Buffer.from(`${version} ${variant} ${total} ${layers}`);
    const size = 1 + title.length + text.length;
    return Buffer.concat([Buffer.from([kCustom, size, title.length]), title, text]);
  };
  return Buffer.concat([wasm, section(wasm.length + section(wasm.length).length)]);
}
