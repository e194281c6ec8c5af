// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
console.log(String(ops.hardShrink([-2, -0.5, 0.2, 0.6])));
// → [ -2   0   0 0.6]
// → shape (4), float32
