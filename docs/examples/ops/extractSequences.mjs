// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
console.log(String(ops.extractSequences([1, 2, 3, 4, 5, 6], 4, 2)));
// → [[1 2 3 4]
// →  [3 4 5 6]]
// → shape (2, 4), float32
