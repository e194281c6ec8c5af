// SPDX-License-Identifier: MIT
import { layers, ready } from 'maskflow';

await ready();
const a = layers.masking().apply([[[1], [2], [0]]]);
const b = layers.masking().apply([[[7], [0], [0]]]);
// Along time: one mask behind the other
console.log(String(layers.concatenate({ axis: 1 }).apply([a, b])));
// Along features: kept where one of them is
console.log(String(layers.concatenate().apply([a, b])));
// → [[[1]
// →   [2]
// →   [0]
// →   [7]
// →   [0]
// →   [0]]]
// → shape (1, 6, 1), float32
// → mask [[T T F T F F]]
// → [[[1 7]
// →   [2 0]
// →   [0 0]]]
// → shape (1, 3, 2), float32
// → mask [[T T F]]
