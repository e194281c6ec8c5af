// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
console.log(String(ops.transpose([[1, 2, 3], [4, 5, 6]])));
console.log(ops.transpose(ops.zeros([2, 3, 4]), { axes: [0, 2, 1] }).shape.join());
// → [[1 4]
// →  [2 5]
// →  [3 6]]
// → shape (3, 2), float32
// → 2,4,3
