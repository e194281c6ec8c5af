// SPDX-License-Identifier: MIT
import { layers, ready } from 'maskflow';

await ready();
console.log(String(layers.cropping1D({ cropping: [1, 2] }).apply([[[1], [2], [3], [4], [5]]])));
// → [[[2]
// →   [3]]]
// → shape (1, 2, 1), float32
