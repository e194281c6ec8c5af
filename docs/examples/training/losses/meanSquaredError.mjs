// SPDX-License-Identifier: MIT
import { losses, ready, tensor } from 'maskflow';

await ready();
const yTrue = [[[1], [2], [9]]];
const yPred = tensor([[[2], [4], [0]]]).withMask([[true, true, false]]);
// (1 + 4) / 2: the padding does not count
console.log(losses.meanSquaredError(yTrue, yPred).item().toFixed(4));
console.log(String(losses.meanSquaredError(yTrue, yPred, { reduction: 'none' })));
// → 2.5000
// → [[1 4 0]]
// → shape (1, 3), float32
