// SPDX-License-Identifier: MIT
import { losses, ready } from 'maskflow';

await ready();
const [yTrue, yPred] = [[[1], [1], [-1]], [[2], [0.5], [1]]];
console.log(String(losses.squaredHinge(yTrue, yPred, { reduction: 'none' })));
// → [   0 0.25    4]
// → shape (3), float32
