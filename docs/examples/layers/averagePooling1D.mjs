// SPDX-License-Identifier: MIT
import { layers, ready } from 'maskflow';

await ready();
const x = [[[1], [3], [5], [7], [9]]];
// The fifth step is left over
console.log(String(layers.averagePooling1D({ poolSize: 2 }).apply(x)));
console.log(String(layers.averagePooling1D({ poolSize: 2, padding: 'same' }).apply(x)));
// → [[[2]
// →   [6]]]
// → shape (1, 2, 1), float32
// → [[[2]
// →   [6]
// →   [9]]]
// → shape (1, 3, 1), float32
