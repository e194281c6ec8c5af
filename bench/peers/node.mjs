// SPDX-License-Identifier: MIT
// One process of `npm run bench:peers` in Node.
import { machine } from '../../scripts/lib/facts.mjs';
import { compare } from './compare.mjs';
import * as native from './ort_native.mjs';

export async function measure({ ids, isNative }) {
  const { node, v8 } = process.versions;
  console.log(`Node ${node}, ${machine}`);
  const run = await compare(ids, isNative ? [native] : []);
  return { engine: `Node ${node}`, v8, machine, ...run };
}
