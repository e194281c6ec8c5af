// SPDX-License-Identifier: MIT
import { layers, ready } from 'maskflow';

await ready();
// Time and features change places
console.log(String(layers.permute({ dims: [2, 1] }).apply([[[1, 2], [3, 4], [5, 6]]])));
// → [[[1 3 5]
// →   [2 4 6]]]
// → shape (1, 2, 3), float32
