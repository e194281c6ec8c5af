// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
console.log(String(ops.log([0, 1, Math.E, -1])));
// → [-Infinity         0         1       NaN]
// → shape (4), float32
