// SPDX-License-Identifier: MIT
import { layers, ready } from 'maskflow';

await ready();
console.log(String(layers.upSampling1D({ size: 2 }).apply([[[1, 10], [2, 20]]])));
// → [[[ 1 10]
// →   [ 1 10]
// →   [ 2 20]
// →   [ 2 20]]]
// → shape (1, 4, 2), float32
