// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
console.log(String(ops.arccos([-1, 0, 1])));
// → [3.14159  1.5708       0]
// → shape (3), float32
