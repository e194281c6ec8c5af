// SPDX-License-Identifier: MIT
import { layers, ready } from 'maskflow';

await ready();
// A step is masked when all of it is 0
const steps = layers.masking().apply([[[1, 2], [0, 3], [0, 0]]]);
console.log(String(steps));
const other = layers.masking({ maskValue: -1 }).apply([[[5], [-1]]]);
console.log(String(other)); // what is masked becomes 0
// → [[[1 2]
// →   [0 3]
// →   [0 0]]]
// → shape (1, 3, 2), float32
// → mask [[T T F]]
// → [[[5]
// →   [0]]]
// → shape (1, 2, 1), float32
// → mask [[T F]]
