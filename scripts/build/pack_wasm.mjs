// SPDX-License-Identifier: MIT
// node scripts/build/pack_wasm.mjs IN.wasm OUT: writes OUT.wasm, with functions in the order that packs
// best, and OUT.gz, packed by Zopfli. It is a program so that modules are packed in parallel.
import { readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { gzipAsync } from '@gfx/zopfli';
import { main } from '../lib/process.mjs';
import { inFunctionOrder } from './function_order.mjs';
import { withMark } from './wasm_mark.mjs';

await main(async () => {
  const [from, to] = process.argv.slice(2);
  const named = `${to}.named.wasm`;
  const ordered = await inFunctionOrder(readFileSync(from), named, process.env);
  const wasm = withMark(Buffer.from(ordered), basename(to));
  writeFileSync(`${to}.wasm`, wasm);
  // Zopfli takes seconds and saves 5 % of the bytes.
  writeFileSync(`${to}.gz`, await gzipAsync(wasm, { numiterations: 15 }));
});
