// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
const lengths = [[2], [3]];
console.log(String(ops.lessEqual([[1, 2, 3]], lengths))); // a mask from lengths
// → [[T T F]
// →  [T T T]]
// → shape (2, 3), bool
