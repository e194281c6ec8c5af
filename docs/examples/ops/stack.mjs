// SPDX-License-Identifier: MIT
import { ops, ready, tensor } from 'maskflow';

await ready();
const rows = [tensor([1, 2]), tensor([3, 4])];
console.log(String(ops.stack(rows)));
console.log(String(ops.stack(rows, { axis: 1 })));
// → [[1 2]
// →  [3 4]]
// → shape (2, 2), float32
// → [[1 3]
// →  [2 4]]
// → shape (2, 2), float32
