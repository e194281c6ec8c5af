// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
const x = [[1, 2, 3], [4, 5, 6], [7, 8, 9]];
console.log(String(ops.slice(x, [1, 0], [2, 2]))); // from row 1, column 0: two by two
// → [[4 5]
// →  [7 8]]
// → shape (2, 2), float32
