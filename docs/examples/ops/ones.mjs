// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
console.log(String(ops.ones([2, 3])));
// → [[1 1 1]
// →  [1 1 1]]
// → shape (2, 3), float32
