// SPDX-License-Identifier: MIT
import { layers, ready, tensor } from 'maskflow';

await ready();
const a = tensor([[[1], [9], [9]]]).withMask([[true, false, false]]);
const b = tensor([[[5], [5], [5]]]).withMask([[true, true, false]]);
// In the second step 9 is masked and does not compete
console.log(String(layers.maximum().apply([a, b])));
// → [[[5]
// →   [5]
// →   [9]]]
// → shape (1, 3, 1), float32
// → mask [[T T F]]
