// SPDX-License-Identifier: MIT
import { layers, ready } from 'maskflow';

await ready();
const x = [[[1], [5], [2], [8], [3]]];
console.log(String(layers.maxPooling1D({ poolSize: 2 }).apply(x)));
console.log(String(layers.maxPooling1D({ poolSize: 3, strides: 1 }).apply(x)));
// → [[[5]
// →   [8]]]
// → shape (1, 2, 1), float32
// → [[[5]
// →   [8]
// →   [8]]]
// → shape (1, 3, 1), float32
