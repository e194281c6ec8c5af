// SPDX-License-Identifier: MIT
import { layers, ready } from 'maskflow';

await ready();
const layer = layers.layerNormalization({ epsilon: 0 });
// Each step by itself: mean 0, variance 1
console.log(String(layer.apply([[[1, 3], [100, 300]]])));
// → [[[-1  1]
// →   [-1  1]]]
// → shape (1, 2, 2), float32
