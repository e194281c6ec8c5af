// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
console.log(String(ops.subtract([[5, 6], [7, 8]], [[1], [2]])));
// → [[4 5]
// →  [5 6]]
// → shape (2, 2), float32
