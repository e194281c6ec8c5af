// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
console.log(String(ops.isfinite([1, Infinity, NaN])));
// → [T F F]
// → shape (3), bool
