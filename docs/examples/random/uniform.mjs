// SPDX-License-Identifier: MIT
import { ops, random, ready } from 'maskflow';

await ready();
const x = random.uniform([1000], { minval: -1, maxval: 1, seed: 1 });
console.log(ops.min(x).item() >= -1, ops.max(x).item() < 1);
const die = random.uniform([3], { minval: 1, maxval: 7, dtype: 'int32', seed: 2 });
console.log(die.dtype, ops.max(die).item() <= 6);
// → true true
// → int32 true
