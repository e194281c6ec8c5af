// SPDX-License-Identifier: MIT
import { ready } from 'maskflow';
import { entityScores } from 'maskflow/tags';

await ready();
const names = ['O', 'B-PER', 'I-PER', 'B-LOC'];
const yTrue = [[1, 2, 0, 0, 3], [1, 0, 0, 0, 0]];
const yPred = [[1, 2, 0, 0, 0], [1, 2, 0, 0, 0]];
const mask = [[true, true, true, true, true], [true, false, false, false, false]];
const { precision, recall, f1, types } = entityScores(yTrue, yPred, { names, mask });
console.log(precision, recall.toFixed(3), f1.toFixed(3));
console.log(types.PER.f1, types.LOC.recall);
// → 1 0.667 0.800
// → 1 0
