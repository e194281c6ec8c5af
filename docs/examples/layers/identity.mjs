// SPDX-License-Identifier: MIT
import { layers, ready } from 'maskflow';

await ready();
const steps = layers.masking().apply([[[1], [0]]]);
console.log(String(layers.identity().apply(steps))); // values and mask as they came
// → [[[1]
// →   [0]]]
// → shape (1, 2, 1), float32
// → mask [[T F]]
