// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
console.log(String(ops.floor([-1.5, 0.9, 2])));
// → [-2  0  2]
// → shape (3), float32
