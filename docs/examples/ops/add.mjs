// SPDX-License-Identifier: MIT
import { layers, ops, ready } from 'maskflow';

await ready();
console.log(String(ops.add([[1, 2], [3, 4]], [10, 20]))); // the row is added to each row
const steps = layers.masking().apply([[[1], [0]]]);
console.log(ops.add(steps, 1).mask); // the result of an operation has no mask …
console.log(String(ops.add(steps, 1).withMask(steps.mask).mask)); // … unless you put it back
// → [[11 22]
// →  [13 24]]
// → shape (2, 2), float32
// → null
// → [[T F]]
// → shape (1, 2), bool
