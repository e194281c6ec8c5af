// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
console.log(String(ops.layerNormalization([[1, 2, 3]], { gamma: [1, 1, 2], beta: [0, 10, 0] })));
// → [[-1.22474       10  2.44949]]
// → shape (1, 3), float32
