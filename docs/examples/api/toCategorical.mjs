// SPDX-License-Identifier: MIT
import { ready, toCategorical } from 'maskflow/train';

await ready();
console.log(String(toCategorical([0, 2, 1])));
console.log(toCategorical([0, 2], { numClasses: 5 }).shape.join());
// → [[1 0 0]
// →  [0 0 1]
// →  [0 1 0]]
// → shape (3, 3), float32
// → 2,5
