// SPDX-License-Identifier: MIT
import { losses, ready } from 'maskflow';

await ready();
console.log(losses.binaryCrossentropy([[1], [0]], [[0.5], [0.5]]).item().toFixed(4)); // no idea: log 2
console.log(losses.binaryCrossentropy([[1]], [[0]], { fromLogits: true }).item().toFixed(4)); // the same from scores
console.log(losses.binaryCrossentropy([[1]], [[0.99]], { labelSmoothing: 0.2 }).item().toFixed(4)); // sure is not best
// → 0.6931
// → 0.6931
// → 0.4696
