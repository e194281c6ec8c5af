// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
console.log(String(ops.bincount([0, 2, 2, 3])));
console.log(String(ops.bincount([0, 2, 2], { minlength: 5 })));
// → [1 0 2 1]
// → shape (4), int32
// → [1 0 2 0 0]
// → shape (5), int32
