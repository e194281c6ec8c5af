// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
console.log(String(ops.negative([-1, 0, 2])));
// → [ 1  0 -2]
// → shape (3), float32
