// SPDX-License-Identifier: MIT
import { layers, ready } from 'maskflow';

await ready();
const layer = layers.normalization();
layer.adapt([[1, 100], [3, 300]]); // finds mean and variance of each feature
console.log(String(layer.apply([[2, 200], [3, 100]])));
console.log(String(layers.normalization({ mean: 10, variance: 4 }).apply([[10], [14]])));
// → [[ 0  0]
// →  [ 1 -1]]
// → shape (2, 2), float32
// → [[0]
// →  [2]]
// → shape (2, 1), float32
