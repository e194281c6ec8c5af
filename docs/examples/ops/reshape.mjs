// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
console.log(String(ops.reshape([1, 2, 3, 4, 5, 6], [2, -1]))); // -1: what is left
// → [[1 2 3]
// →  [4 5 6]]
// → shape (2, 3), float32
