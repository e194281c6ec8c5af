// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
console.log(String(ops.vander([2, 3], { n: 3 })));
// → [[4 2 1]
// →  [9 3 1]]
// → shape (2, 3), float32
