// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
console.log(String(ops.swapaxes([[1, 2, 3], [4, 5, 6]], 0, 1)));
// → [[1 4]
// →  [2 5]
// →  [3 6]]
// → shape (3, 2), float32
