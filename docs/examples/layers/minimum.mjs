// SPDX-License-Identifier: MIT
import { layers, ready, tensor } from 'maskflow';

await ready();
const a = tensor([[[1], [1], [1]]]).withMask([[true, false, false]]);
const b = tensor([[[5], [5], [5]]]).withMask([[true, true, false]]);
// In the second step 1 is masked and does not compete
console.log(String(layers.minimum().apply([a, b])));
// → [[[1]
// →   [5]
// →   [1]]]
// → shape (1, 3, 1), float32
// → mask [[T T F]]
