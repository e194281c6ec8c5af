// SPDX-License-Identifier: MIT
// Trains a classifier of brackets from the beginning, with the mask and without it, and tests both
// on strings that are longer or more padded than those of the training. With the mask, padding
// makes no difference at all.
import { ready } from 'maskflow/train';
import { makeData, measure, train } from './brackets.mjs';

await ready({ seed: 1 });
const data = makeData();
const verbose = process.stdout.isTTY ? 1 : 0;

for (const mask of [true, false]) {
  const began = performance.now();
  const model = await train(mask, data, { verbose });
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  console.log(`\n${mask ? 'With' : 'Without'} the mask, trained in ${seconds} s:`);
  console.table(await measure(model, data));
  model.dispose();
}
