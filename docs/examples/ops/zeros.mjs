// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
console.log(String(ops.zeros([2, 2], { dtype: 'int32' })));
// → [[0 0]
// →  [0 0]]
// → shape (2, 2), int32
