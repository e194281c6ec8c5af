// SPDX-License-Identifier: MIT
import { ops, ready, tensor } from 'maskflow/train';

await ready();
const ids = tensor([[0, 2], [1, 1]], { dtype: 'int32' });
console.log(String(ops.multiHot(ids, 4)));
// → [[1 0 1 0]
// →  [0 1 0 0]]
// → shape (2, 4), float32
