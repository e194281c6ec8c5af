// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
console.log(ops.std([1, 3, 1, 3]).item()); // divided by n, as NumPy does
// → 1
