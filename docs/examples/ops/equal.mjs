// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
console.log(String(ops.equal([1, 2, NaN], [1, 3, NaN]))); // NaN equals nothing, not even itself
// → [T F F]
// → shape (3), bool
