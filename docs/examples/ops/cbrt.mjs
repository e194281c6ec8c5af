// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
console.log(String(ops.cbrt([-8, 27])));
// → [-2  3]
// → shape (2), float32
