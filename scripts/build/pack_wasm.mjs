// SPDX-License-Identifier: MIT
// node scripts/build/pack_wasm.mjs IN.wasm OUT [BASE]: writes OUT.wasm, with functions in the order
// that packs best, and OUT.gz, packed by Zopfli. With BASE, the OUT of another variant, OUT.gz is
// the difference from it. It is a program so that modules are packed in parallel.
import { readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { main } from '../lib/process.mjs';
import { inFunctionOrder } from './function_order.mjs';
import { packed } from './gzip.mjs';
import { withMark } from './wasm_mark.mjs';
import { difference } from './wasm_patch.mjs';

await main(async () => {
  const [from, to, base] = process.argv.slice(2);
  const named = `${to}.named.wasm`;
  const like = base && JSON.parse(readFileSync(`${base}.order`, 'utf8'));
  const ordered = await inFunctionOrder(readFileSync(from), named, process.env, like);
  const wasm = withMark(ordered.wasm, basename(to));
  writeFileSync(`${to}.wasm`, wasm);
  writeFileSync(`${to}.order`, JSON.stringify(ordered.keys));
  const content = base ? difference(readFileSync(`${base}.wasm`), wasm) : wasm;
  writeFileSync(`${to}.gz`, await packed(content));
});
