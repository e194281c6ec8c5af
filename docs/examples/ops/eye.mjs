// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
console.log(String(ops.eye(3)));
console.log(String(ops.eye(2, { m: 3, k: 1, dtype: 'int32' })));
// → [[1 0 0]
// →  [0 1 0]
// →  [0 0 1]]
// → shape (3, 3), float32
// → [[0 1 0]
// →  [0 0 1]]
// → shape (2, 3), int32
