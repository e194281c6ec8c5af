// SPDX-License-Identifier: MIT
import { ops, random, ready } from 'maskflow';

await ready();
const x = random.dropout(ops.ones([1000]), 0.25, { seed: 1 });
const kept = ops.max(x).item();
console.log(Math.abs(kept - 1 / 0.75) < 1e-6); // the others are larger, so that the mean stays
console.log(ops.min(x).item());
// → true
// → 0
