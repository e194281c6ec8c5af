// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
console.log(String(ops.abs([-2, 0, 3.5])));
// → [  2   0 3.5]
// → shape (3), float32
