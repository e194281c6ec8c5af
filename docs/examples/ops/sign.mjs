// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
console.log(String(ops.sign([-3, 0, 7])));
// → [-1  0  1]
// → shape (3), float32
