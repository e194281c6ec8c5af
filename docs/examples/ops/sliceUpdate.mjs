// SPDX-License-Identifier: MIT
import { ops, ready, tensor } from 'maskflow/train';

await ready();
const start = tensor([1, 1], { dtype: 'int32' });
console.log(String(ops.sliceUpdate([[1, 2, 3], [4, 5, 6]], start, [[0, 0]])));
// → [[1 2 3]
// →  [4 0 0]]
// → shape (2, 3), float32
