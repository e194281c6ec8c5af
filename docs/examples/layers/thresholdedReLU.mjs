// SPDX-License-Identifier: MIT
import { layers, ready } from 'maskflow';

await ready();
// 2 itself is not above 2
console.log(String(layers.thresholdedReLU({ theta: 2 }).apply([[-3, 1, 2, 3]])));
// → [[0 0 0 3]]
// → shape (1, 4), float32
