// SPDX-License-Identifier: MIT
import { layers, ops, ready } from 'maskflow';

await ready({ onMaskDropped: 'silent' });
const steps = layers.masking().apply([[[1], [2], [0]]]);
const double = layers.lambda({ function: (x) => ops.multiply(x, 2) });
console.log(double.apply(steps).mask); // a Lambda drops the mask …
const keeping = layers.lambda({ function: (x) => ops.multiply(x, 2), mask: (x, mask) => mask });
console.log(String(keeping.apply(steps))); // … unless `mask` computes one
// → null
// → [[[2]
// →   [4]
// →   [0]]]
// → shape (1, 3, 1), float32
// → mask [[T T F]]
