// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
// Kept in one of the masks
console.log(String(ops.logicalOr([true, true, false], [true, false, false])));
// → [T T F]
// → shape (3), bool
