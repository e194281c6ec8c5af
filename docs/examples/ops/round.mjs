// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
// Halves to the even number, as in Python
console.log(String(ops.round([0.5, 1.5, 2.5, -1.6])));
// → [ 0  2  2 -2]
// → shape (4), float32
