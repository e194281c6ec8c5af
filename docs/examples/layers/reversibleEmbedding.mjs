// SPDX-License-Identifier: MIT
import { layers, ready, tensor } from 'maskflow';

await ready();
const layer = layers.reversibleEmbedding({ inputDim: 3, outputDim: 2 });
layer.build([null, null]);
layer.setWeights([[[1, 0], [0, 1], [1, 1]]]);
const vectors = layer.apply(tensor([[2, 0]], { dtype: 'int32' }));
console.log(String(vectors));
// Scores for the ids 0, 1, 2 by the same table
console.log(String(layer.apply(vectors, { reverse: true })));
// → [[[1 1]
// →   [1 0]]]
// → shape (1, 2, 2), float32
// → [[[1 1 2]
// →   [1 0 1]]]
// → shape (1, 2, 3), float32
