// SPDX-License-Identifier: MIT
import { layers, ready, tensor } from 'maskflow';

await ready();
const masked = layers.masking().apply([[[1], [2], [0]]]);
const other = layers.masking().apply([[[10], [0], [0]]]);
console.log(String(layers.add().apply([masked, other]))); // masked where both are
// One input without a mask
console.log(layers.add().apply([masked, tensor([[[10], [20], [30]]])]).mask);
// → [[[11]
// →   [ 2]
// →   [ 0]]]
// → shape (1, 3, 1), float32
// → mask [[T T F]]
// → null
