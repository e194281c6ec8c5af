// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
console.log(String(ops.greaterEqual([1, 2, 3], 2)));
// → [F T T]
// → shape (3), bool
