// SPDX-License-Identifier: MIT
// Runs conformance, gradients and 8-bit kernels as on other CPUs and by other compilers of V8.
// Needs a built package.
//   node scripts/cpus.mjs                     this Node under flags of V8
//   node scripts/cpus.mjs --node=20,22,24,26  these versions, which npm installs in the cache
//   node scripts/cpus.mjs --emulated          conformance under qemu: 64-bit Arm, and an x86 CPU without
//                                             AVX (minutes)
import { parseArgs } from 'node:util';
import { main } from './lib/process.mjs';
import { emulatedCells, nodeCells, runCells } from './test/cpus.mjs';
import { summarize } from './test/counts.mjs';

const options = {
  node: { type: 'string', default: 'own' },
  emulated: { type: 'boolean' },
};

await main(async () => {
  const { node, emulated } = parseArgs({ options }).values;
  const versions = node.split(',');
  const last = versions.at(-1) === 'own' ? '24' : versions.at(-1);
  const cells = emulated ? await emulatedCells(last) : await nodeCells(versions);
  return summarize([{ name: 'cpus', ...(await runCells(cells)) }]);
});
