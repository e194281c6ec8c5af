// SPDX-License-Identifier: MIT
import { layers, ready } from 'maskflow';

await ready();
const x = [[-10, -1, 2, 8]];
console.log(String(layers.reLU().apply(x)));
console.log(String(layers.reLU({ maxValue: 6, negativeSlope: 0.5 }).apply(x)));
// → [[0 0 2 8]]
// → shape (1, 4), float32
// → [[  -5 -0.5    2    6]]
// → shape (1, 4), float32
