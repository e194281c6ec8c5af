// SPDX-License-Identifier: MIT
import { layers, ready } from 'maskflow';

await ready();
const layer = layers.depthwiseConv1D({ kernelSize: 2, depthwiseInitializer: 'ones' });
console.log(String(layer.apply([[[1, 10], [2, 20], [3, 30]]]))); // each channel by itself
// → [[[ 3 30]
// →   [ 5 50]]]
// → shape (1, 2, 2), float32
