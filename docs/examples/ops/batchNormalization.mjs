// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
const x = [[1, 10], [3, 30]];
console.log(String(ops.batchNormalization(x, [2, 20], [1, 100], 1)));
// → [[  -0.9995 -0.999995]
// →  [   0.9995  0.999995]]
// → shape (2, 2), float32
