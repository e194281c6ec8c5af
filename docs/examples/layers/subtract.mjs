// SPDX-License-Identifier: MIT
import { layers, ready } from 'maskflow';

await ready();
const a = layers.masking().apply([[[9], [8], [0]]]);
const b = layers.masking().apply([[[1], [0], [0]]]);
console.log(String(layers.subtract().apply([a, b])));
// → [[[8]
// →   [8]
// →   [0]]]
// → shape (1, 3, 1), float32
// → mask [[T T F]]
