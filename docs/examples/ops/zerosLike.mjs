// SPDX-License-Identifier: MIT
import { layers, ops, ready } from 'maskflow';

await ready();
const steps = layers.masking().apply([[[1], [0]]]);
console.log(String(ops.zerosLike(steps))); // the shape comes over, the mask does not
// → [[[0]
// →   [0]]]
// → shape (1, 2, 1), float32
