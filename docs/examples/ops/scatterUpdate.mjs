// SPDX-License-Identifier: MIT
import { ops, ready, tensor } from 'maskflow/train';

await ready();
const positions = tensor([[0, 1]], { dtype: 'int32' });
console.log(String(ops.scatterUpdate([[1, 2], [3, 4]], positions, [9])));
// → [[1 9]
// →  [3 4]]
// → shape (2, 2), float32
