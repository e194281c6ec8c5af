// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
console.log(String(ops.logicalAnd([true, true, false], [true, false, false]))); // kept in both masks
// → [T F F]
// → shape (3), bool
