// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
console.log(String(ops.arcsin([-1, 0, 1])));
// → [-1.5708       0  1.5708]
// → shape (3), float32
