// SPDX-License-Identifier: MIT
import { layers, ready, tensor } from 'maskflow';

await ready({ seed: 1, onMaskDropped: 'silent' });
const layer = layers.groupQueryAttention({ headDim: 4, numQueryHeads: 4, numKeyValueHeads: 2 });
const x = tensor([[[1, 2], [3, 4], [0, 0]]]).withMask([[true, true, false]]);
const y = layer.apply({ query: x, value: x });
console.log(y.shape.join(), String(y.mask));
for (const { name, shape } of layer.weights.filter(({ name }) => name === 'kernel')) console.log(name, shape.join());
// → 1,3,2 [[T T F]]
// → shape (1, 3), bool
// → kernel 2,4,4
// → kernel 2,2,4
// → kernel 2,2,4
// → kernel 4,4,2
