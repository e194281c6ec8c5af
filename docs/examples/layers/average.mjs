// SPDX-License-Identifier: MIT
import { layers, ready } from 'maskflow';

await ready();
const a = layers.masking().apply([[[2], [4], [0]]]);
const b = layers.masking().apply([[[4], [0], [0]]]);
console.log(String(layers.average().apply([a, b]))); // the values take no notice of the masks
// → [[[3]
// →   [2]
// →   [0]]]
// → shape (1, 3, 1), float32
// → mask [[T T F]]
