// SPDX-License-Identifier: MIT
import { ops, random, ready } from 'maskflow';

await ready();
const x = random.gamma([1000], 3, { seed: 1 });
console.log(Math.round(ops.mean(x).item())); // the mean is alpha
// → 3
