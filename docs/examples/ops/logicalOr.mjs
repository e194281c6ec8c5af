// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
console.log(String(ops.logicalOr([true, true, false], [true, false, false]))); // kept in one of the masks
// → [T T F]
// → shape (3), bool
