// SPDX-License-Identifier: MIT
import { layers, ready } from 'maskflow';

await ready();
const layer = layers.groupNormalization({ groups: 2, epsilon: 0 });
// Channels 0 and 1 are a group, 2 and 3 the other
const x = [[[1, 3, 100, 300], [1, 3, 100, 300]]];
console.log(String(layer.apply(x)));
// → [[[-1  1 -1  1]
// →   [-1  1 -1  1]]]
// → shape (1, 2, 4), float32
