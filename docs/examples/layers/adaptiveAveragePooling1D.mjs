// SPDX-License-Identifier: MIT
import { layers, ready } from 'maskflow';

await ready();
const pool = layers.adaptiveAveragePooling1D({ outputSize: 3 });
console.log(String(pool.apply([[[1], [3], [5], [7], [9], [11]]]))); // windows of 2 steps
console.log(String(pool.apply([[[1], [3], [5], [7]]]))); // 4 steps: the windows overlap
// → [[[ 2]
// →   [ 6]
// →   [10]]]
// → shape (1, 3, 1), float32
// → [[[2]
// →   [4]
// →   [6]]]
// → shape (1, 3, 1), float32
