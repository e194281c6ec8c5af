// SPDX-License-Identifier: MIT
import { losses, ready } from 'maskflow';

await ready();
console.log(losses.meanAbsoluteError([[0], [10]], [[1], [5]]).item());
const weighted = losses.meanAbsoluteError([[0], [10]], [[1], [5]], { sampleWeight: [1, 0] });
console.log(weighted.item()); // 1 / 2: divided by the rows, not by the weights, as in Keras
// → 3
// → 0.5
