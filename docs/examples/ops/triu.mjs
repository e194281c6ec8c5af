// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
console.log(String(ops.triu([[1, 2, 3], [4, 5, 6], [7, 8, 9]], { k: 1 })));
// → [[0 2 3]
// →  [0 0 6]
// →  [0 0 0]]
// → shape (3, 3), float32
