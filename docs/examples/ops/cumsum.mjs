// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
console.log(String(ops.cumsum([[1, 2, 3], [10, 20, 30]], { axis: 1 }))); // along time
// → [[ 1  3  6]
// →  [10 30 60]]
// → shape (2, 3), float32
