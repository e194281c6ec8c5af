// SPDX-License-Identifier: MIT
import { losses, ready } from 'maskflow';

await ready();
// No idea: log 2
console.log(losses.binaryCrossentropy([[1], [0]], [[0.5], [0.5]]).item().toFixed(4));
// The same from scores
console.log(losses.binaryCrossentropy([[1]], [[0]], { fromLogits: true }).item().toFixed(4));
// Sure is not best
console.log(losses.binaryCrossentropy([[1]], [[0.99]], { labelSmoothing: 0.2 }).item().toFixed(4));
// → 0.6931
// → 0.6931
// → 0.4696
