// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
console.log(String(ops.arctan([-1, 0, Infinity])));
// → [-0.785398         0    1.5708]
// → shape (3), float32
