// SPDX-License-Identifier: MIT
import { losses, ready } from 'maskflow';

await ready();
// A probability of 0.5 costs log 2
console.log(losses.binaryCrossentropy([[1], [0]], [[0.5], [0.5]]).item().toFixed(4));
// A score of 0 is a probability of 0.5
console.log(losses.binaryCrossentropy([[1]], [[0]], { fromLogits: true }).item().toFixed(4));
// With label smoothing, the best probability is below 1
const smoothed = losses.binaryCrossentropy([[1]], [[0.99]], { labelSmoothing: 0.2 });
console.log(smoothed.item().toFixed(4));
// → 0.6931
// → 0.6931
// → 0.4696
