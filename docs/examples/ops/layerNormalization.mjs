// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
const scaled = { gamma: [1, 1, 2], beta: [0, 10, 0] };
console.log(String(ops.layerNormalization([[1, 2, 3]], scaled)));
// → [[-1.22474       10  2.44949]]
// → shape (1, 3), float32
