// SPDX-License-Identifier: MIT
import { layers, ready } from 'maskflow';

await ready();
const steps = layers.masking().apply([[[255], [51], [0]]]);
// Unlike ops.multiply it keeps the mask
console.log(String(layers.rescaling({ scale: 1 / 255 }).apply(steps)));
// → [[[  1]
// →   [0.2]
// →   [  0]]]
// → shape (1, 3, 1), float32
// → mask [[T T F]]
