// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
console.log(String(ops.isneginf([-Infinity, Infinity, NaN])));
// → [T F F]
// → shape (3), bool
