// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
console.log(String(ops.floorDivide([7, -7, 7], [2, 2, -2]))); // down, not towards 0
// → [ 3 -4 -4]
// → shape (3), float32
