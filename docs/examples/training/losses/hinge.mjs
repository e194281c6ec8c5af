// SPDX-License-Identifier: MIT
import { losses, ready } from 'maskflow';

await ready();
// 0 from a margin of 1 on
const [yTrue, yPred] = [[[1], [1], [-1]], [[2], [0.25], [0.25]]];
console.log(String(losses.hinge(yTrue, yPred, { reduction: 'none' })));
// → [   0 0.75 1.25]
// → shape (3), float32
