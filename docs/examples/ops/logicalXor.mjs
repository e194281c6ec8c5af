// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
console.log(String(ops.logicalXor([true, true, false], [true, false, false])));
// → [F T F]
// → shape (3), bool
