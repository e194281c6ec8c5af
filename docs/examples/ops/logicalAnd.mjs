// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
// Kept in both masks
console.log(String(ops.logicalAnd([true, true, false], [true, false, false])));
// → [T F F]
// → shape (3), bool
