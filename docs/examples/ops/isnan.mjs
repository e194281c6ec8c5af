// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
console.log(String(ops.isnan([1, Infinity, NaN])));
// → [F F T]
// → shape (3), bool
