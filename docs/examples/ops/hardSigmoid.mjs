// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
console.log(String(ops.hardSigmoid([-3, 0, 1.5, 3]))); // Keras 3's: Keras 2 had another slope
// → [   0  0.5 0.75    1]
// → shape (4), float32
