// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
console.log(String(ops.ceil([-1.5, 0.1, 2])));
// → [-1  1  2]
// → shape (3), float32
