// SPDX-License-Identifier: MIT
import { ops, random, ready } from 'maskflow';

await ready();
const heads = random.binomial([1000], 10, 0.5, { seed: 1 }); // ten coins
console.log(Math.round(ops.mean(heads).item()), ops.max(heads).item() <= 10);
// → 5 true
