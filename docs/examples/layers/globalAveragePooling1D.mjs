// SPDX-License-Identifier: MIT
import { layers, ready } from 'maskflow';

await ready();
const steps = layers.masking().apply([[[2], [4], [0], [0]]]);
const pool = layers.globalAveragePooling1D();
console.log(String(pool.apply(steps))); // (2 + 4) / 2
console.log(String(pool.apply(steps.withMask(null)))); // (2 + 4 + 0 + 0) / 4
// → [[3]]
// → shape (1, 1), float32
// → [[1.5]]
// → shape (1, 1), float32
