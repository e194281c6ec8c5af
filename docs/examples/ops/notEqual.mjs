// SPDX-License-Identifier: MIT
import { ops, ready, tensor } from 'maskflow';

await ready();
const ids = tensor([[711, 632, 71, 0, 0], [73, 8, 55, 9, 27]], { dtype: 'int32' });
console.log(String(ops.notEqual(ids, 0))); // the mask that Embedding({ maskZero: true }) makes
// → [[T T T F F]
// →  [T T T T T]]
// → shape (2, 5), bool
