// SPDX-License-Identifier: MIT
// Marks wasm as a module of this package and version.
import { readFileSync } from 'node:fs';
import { at } from '../lib/files.mjs';
import { customSection } from './wasm_sections.mjs';

/**
 * Adds a section with the version of the package, the variant, the size of the whole module in
 * bytes, and its layers. web/src/engine/wasm_mark.ts reads it.
 *
 * @param name Name of the file after `maskflow-`: 'simd', 'recurrent-relaxed'.
 */
export function withMark(wasm, name) {
  const { version } = JSON.parse(readFileSync(at('package.json'), 'utf8'));
  const [variant, layers = 'all'] = name.split('-').reverse();
  const section = (total) =>
    customSection('maskflow', Buffer.from(`${version} ${variant} ${total} ${layers}`));
  return Buffer.concat([wasm, section(wasm.length + section(wasm.length).length)]);
}
