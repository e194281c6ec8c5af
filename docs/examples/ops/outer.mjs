// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
console.log(String(ops.outer([1, 2], [10, 20, 30])));
// → [[10 20 30]
// →  [20 40 60]]
// → shape (2, 3), float32
