// SPDX-License-Identifier: MIT
import { layers, ready } from 'maskflow';

await ready();
// Without the batch; -1: what is left
console.log(String(layers.reshape({ targetShape: [3, -1] }).apply([[1, 2, 3, 4, 5, 6]])));
// → [[[1 2]
// →   [3 4]
// →   [5 6]]]
// → shape (1, 3, 2), float32
