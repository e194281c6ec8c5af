// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
console.log(ops.variance([1, 3, 1, 3]).item()); // divided by n; ops.var is the same
// → 1
