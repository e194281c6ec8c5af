// SPDX-License-Identifier: MIT
import { layers, padSequences, ready } from 'maskflow';

await ready();
const ids = padSequences([[3, 1, 2], [2]], { padding: 'post' });
const layer = layers.embedding({ inputDim: 4, outputDim: 2, maskZero: true });
layer.build([null, null]);
layer.setWeights([[[0, 0], [1, 10], [2, 20], [3, 30]]]); // a row for each id, for 0 as well
console.log(String(layer.apply(ids)));
// → [[[ 3 30]
// →   [ 1 10]
// →   [ 2 20]]
// →  [[ 2 20]
// →   [ 0  0]
// →   [ 0  0]]]
// → shape (2, 3, 2), float32
// → mask [[T T T]
// →       [T F F]]
