// SPDX-License-Identifier: MIT
import { layers, ready } from 'maskflow';

await ready();
console.log(String(layers.leakyReLU({ negativeSlope: 0.5 }).apply([[-4, -2, 0, 2]])));
// → [[-2 -1  0  2]]
// → shape (1, 4), float32
