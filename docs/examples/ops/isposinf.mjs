// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
console.log(String(ops.isposinf([-Infinity, Infinity, NaN])));
// → [F T F]
// → shape (3), bool
