// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
console.log(String(ops.searchsorted([1, 2, 2, 4], [2, 3])));
// → [1 3]
// → shape (2), int32
