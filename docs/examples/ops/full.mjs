// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
console.log(String(ops.full([2, 2], 7, { dtype: 'int32' })));
// → [[7 7]
// →  [7 7]]
// → shape (2, 2), int32
