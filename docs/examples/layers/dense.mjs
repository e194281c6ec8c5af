// SPDX-License-Identifier: MIT
import { layers, ready } from 'maskflow';

await ready();
const layer = layers.dense({ units: 2 });
layer.build([null, null, 3]);
layer.setWeights([[[1, 0], [0, 1], [1, 1]], [10, 20]]); // kernel [inputs, units], bias [units]
const steps = layers.masking().apply([[[1, 2, 3], [0, 0, 0]]]);
console.log(String(layer.apply(steps))); // the masked step is computed, too, and stays masked
// → [[[14 25]
// →   [10 20]]]
// → shape (1, 2, 2), float32
// → mask [[T F]]
