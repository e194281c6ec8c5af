// SPDX-License-Identifier: MIT
import { layers, ready } from 'maskflow';

await ready();
// The second step is padding
const steps = layers.masking().apply([[[-1, 2], [0, 0], [3, -4]]]);
console.log(String(layers.activation({ activation: 'relu' }).apply(steps)));
// → [[[0 2]
// →   [0 0]
// →   [3 0]]]
// → shape (1, 3, 2), float32
// → mask [[T F T]]
