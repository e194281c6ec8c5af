// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
console.log(String(ops.squareplus([-2, 0, 2]))); // a smooth relu
// → [0.414214        1  2.41421]
// → shape (3), float32
