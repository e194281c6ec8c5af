// SPDX-License-Identifier: MIT
import { losses, ready } from 'maskflow';

await ready();
const yTrue = [[1, 0], [1, 0], [1, 0]];
const yPred = [[5, 0], [0, 5], [-5, 0]];
console.log(String(losses.cosineSimilarity(yTrue, yPred, { reduction: 'none' }))); // -1 is best
// → [-1  0  1]
// → shape (3), float32
