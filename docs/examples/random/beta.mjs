// SPDX-License-Identifier: MIT
import { ops, random, ready } from 'maskflow';

await ready();
const x = random.beta([1000], 1, 3, { seed: 1 });
const mean = ops.mean(x).item();
console.log(mean > 0.22 && mean < 0.28); // alpha / (alpha + beta) is 0.25
console.log(ops.min(x).item() >= 0, ops.max(x).item() <= 1);
// → true
// → true true
