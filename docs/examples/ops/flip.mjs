// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
console.log(String(ops.flip([[1, 2, 3], [4, 5, 6]], { axis: 1 }))); // time backwards
// → [[3 2 1]
// →  [6 5 4]]
// → shape (2, 3), float32
