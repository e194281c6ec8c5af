// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
console.log(String(ops.i0([0, 1])));
// → [      1 1.26607]
// → shape (2), float32
