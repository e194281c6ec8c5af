// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
console.log(String(ops.mod([7, -7, 7], [3, 3, -3]))); // the sign of the divisor, as in Python
// → [ 1  2 -2]
// → shape (3), float32
