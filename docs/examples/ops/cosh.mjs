// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
console.log(String(ops.cosh([-1, 0, 1])));
// → [1.54308       1 1.54308]
// → shape (3), float32
