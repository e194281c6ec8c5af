// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
console.log(String(ops.normalize([[3, 4], [0, 0]]))); // nothing is divided by 0
// → [[0.6 0.8]
// →  [  0   0]]
// → shape (2, 2), float32
