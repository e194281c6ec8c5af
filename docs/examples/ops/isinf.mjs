// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
console.log(String(ops.isinf([1, -Infinity, NaN])));
// → [F T F]
// → shape (3), bool
