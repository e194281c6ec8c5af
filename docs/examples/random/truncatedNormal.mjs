// SPDX-License-Identifier: MIT
import { ops, random, ready } from 'maskflow';

await ready();
const x = random.truncatedNormal([1000], { stddev: 0.1, seed: 1 });
console.log(ops.max(ops.abs(x)).item() <= 0.2); // at most two deviations from the mean
// → true
