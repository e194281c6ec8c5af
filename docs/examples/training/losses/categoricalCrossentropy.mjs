// SPDX-License-Identifier: MIT
import { losses, ready } from 'maskflow';

await ready();
const target = [[0, 1, 0]];
// -log 0.5
console.log(losses.categoricalCrossentropy(target, [[0.25, 0.5, 0.25]]).item().toFixed(4));
// log 3
const even = losses.categoricalCrossentropy(target, [[0, 0, 0]], { fromLogits: true });
console.log(even.item().toFixed(4));
// → 0.6931
// → 1.0986
