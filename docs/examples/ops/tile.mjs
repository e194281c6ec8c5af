// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
console.log(String(ops.tile([[1, 2]], [2, 2])));
// → [[1 2 1 2]
// →  [1 2 1 2]]
// → shape (2, 4), float32
