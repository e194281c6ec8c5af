// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
console.log(String(ops.greater([1, 2, 3], 2)));
// → [F F T]
// → shape (3), bool
