// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
console.log(String(ops.celu([-100, 0, 2], { alpha: 2 }))); // never below -alpha
// → [-2  0  2]
// → shape (3), float32
