// SPDX-License-Identifier: MIT
import { layers, ops, ready, tensor } from 'maskflow';

await ready({ seed: 1 });
const layer = layers.multiHeadAttention({ numHeads: 2, keyDim: 4 });
const x = tensor([[[1, 2], [3, 4], [5, 6]]]);
const options = { useCausalMask: true, returnAttentionScores: true };
const [y, scores] = layer.apply({ query: x, value: x }, options);
console.log(y.shape.join(), scores.shape.join()); // scores: [batch, heads, queries, keys]
// Who sees whom: no step a later one
console.log(String(ops.greater(scores, 0).getItem([0, 0])));
// → 1,3,2 1,2,3,3
// → [[T F F]
// →  [T T F]
// →  [T T T]]
// → shape (3, 3), bool
