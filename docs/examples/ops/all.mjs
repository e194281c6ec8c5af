// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
const x = [[1, 1], [1, 0]];
console.log(String(ops.all(x, { axis: 1 }))); // no zero in the row?
console.log(String(ops.all(x)));
// → [T F]
// → shape (2), bool
// → F
// → shape (), bool
