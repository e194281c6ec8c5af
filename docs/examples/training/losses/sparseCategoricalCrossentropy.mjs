// SPDX-License-Identifier: MIT
import { losses, ready, tensor } from 'maskflow';

await ready();
const tags = tensor([[2, 0, 0]], { dtype: 'int32' }); // a class for each step
const even = tensor([[[0, 0, 0], [0, 0, 0], [0, 0, 0]]]).withMask([[true, true, false]]);
const options = { fromLogits: true, reduction: 'none' };
const each = losses.sparseCategoricalCrossentropy(tags, even, options);
console.log(String(each)); // log 3 at each step that is kept
// → [[1.09861 1.09861       0]]
// → shape (1, 3), float32
