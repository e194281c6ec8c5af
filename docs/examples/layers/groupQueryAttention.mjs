// SPDX-License-Identifier: MIT
import { layers, ready, tensor } from 'maskflow';

await ready({ seed: 1, onMaskDropped: 'silent' });
const layer = layers.groupQueryAttention({ headDim: 4, numQueryHeads: 4, numKeyValueHeads: 2 });
const x = tensor([[[1, 2], [3, 4], [0, 0]]]).withMask([[true, true, false]]);
const y = layer.apply({ query: x, value: x });
console.log(y.shape.join(), String(y.mask));
const kernels = layer.weights.filter(({ name }) => name === 'kernel');
// Kernels of query, key, value, output: 4 query heads share 2 heads of keys and values
console.log(kernels.map(({ shape }) => shape.join()).join(' '));
// → 1,3,2 [[T T F]]
// → shape (1, 3), bool
// → 2,4,4 2,2,4 2,2,4 4,4,2
