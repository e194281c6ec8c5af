// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
console.log(String(ops.repeat([1, 2], 3)));
console.log(String(ops.repeat([[1, 2]], 2, { axis: 0 })));
// → [1 1 1 2 2 2]
// → shape (6), float32
// → [[1 2]
// →  [1 2]]
// → shape (2, 2), float32
