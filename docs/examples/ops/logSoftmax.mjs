// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
console.log(String(ops.logSoftmax([[0, 0], [0, 1000]])));
// → [[-0.693147 -0.693147]
// →  [    -1000         0]]
// → shape (2, 2), float32
