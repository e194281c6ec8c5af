// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
console.log(String(ops.logicalNot([true, false])));
console.log(String(ops.logicalNot([0, 5])));
// → [F T]
// → shape (2), bool
// → [T F]
// → shape (2), bool
