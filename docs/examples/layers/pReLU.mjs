// SPDX-License-Identifier: MIT
import { layers, ready } from 'maskflow';

await ready();
const layer = layers.pReLU();
layer.build([null, 3]);
layer.setWeights([[0, 0.5, 1]]); // a slope for each place below 0, to be learned
console.log(String(layer.apply([[-4, -4, -4], [4, 4, 4]])));
// → [[ 0 -2 -4]
// →  [ 4  4  4]]
// → shape (2, 3), float32
