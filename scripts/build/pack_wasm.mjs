// SPDX-License-Identifier: MIT
// node scripts/build/pack_wasm.mjs IN.wasm OUT: OUT.wasm, in the order that packs best, and OUT.gz, packed by Zopfli. A
// program of its own, so that modules are packed side by side.
import { readFileSync, writeFileSync } from 'node:fs';
import { gzipAsync } from '@gfx/zopfli';
import { at } from '../lib/files.mjs';
import { main } from '../lib/process.mjs';
import { inFunctionOrder } from './function_order.mjs';

/** A section for the package: its version, which variant this is, and the size of the module, this section included. */
function markOf(path, bytes) {
  const { version } = JSON.parse(readFileSync(at('package.json'), 'utf8'));
  const variant = path.endsWith('relaxed') ? 'relaxed' : 'simd';
  const name = Buffer.from('maskflow');
  const kCustom = 0;
  const section = (total) => {
    const text = Buffer.from(`${version} ${variant} ${total}`);
    const size = 1 + name.length + text.length;
    return Buffer.concat([Buffer.from([kCustom, size, name.length]), name, text]);
  };
  return section(bytes + section(bytes).length);
}

await main(async () => {
  const [from, to] = process.argv.slice(2);
  const named = `${to}.named.wasm`;
  const ordered = await inFunctionOrder(readFileSync(from), named, process.env);
  const wasm = Buffer.concat([ordered, markOf(to, ordered.length)]);
  writeFileSync(`${to}.wasm`, wasm);
  // Takes seconds and saves one byte in twenty.
  writeFileSync(`${to}.gz`, await gzipAsync(wasm, { numiterations: 15 }));
});
