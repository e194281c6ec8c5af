// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
const x = [[1, 2], [3, 4]];
console.log(ops.sum(x).item());
console.log(String(ops.sum(x, { axis: 1 })));
console.log(String(ops.sum(x, { axis: 1, keepdims: true }))); // fits x again
// → 10
// → [3 7]
// → shape (2), float32
// → [[3]
// →  [7]]
// → shape (2, 1), float32
