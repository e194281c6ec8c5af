// SPDX-License-Identifier: MIT
import { layers, ready } from 'maskflow';

await ready();
// A step for each step of a decoder
console.log(String(layers.repeatVector({ n: 3 }).apply([[1, 2]])));
// → [[[1 2]
// →   [1 2]
// →   [1 2]]]
// → shape (1, 3, 2), float32
