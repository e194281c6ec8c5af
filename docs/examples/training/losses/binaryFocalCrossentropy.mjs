// SPDX-License-Identifier: MIT
import { losses, ready } from 'maskflow';

await ready();
const rows = [[[1], [1]], [[0.9], [0.1]], { reduction: 'none' }];
const plain = losses.binaryCrossentropy(...rows).data();
const focal = losses.binaryFocalCrossentropy(...rows).data();
// The factor (1 - p)² reduces the loss of easy examples
for (const i of [0, 1]) console.log((focal[i] / plain[i]).toFixed(2));
// → 0.01
// → 0.81
