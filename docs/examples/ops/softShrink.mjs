// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
console.log(String(ops.softShrink([-2, -0.5, 0.2, 2])));
// → [-1.5    0    0  1.5]
// → shape (4), float32
