// SPDX-License-Identifier: MIT
import { ops, ready, tensor } from 'maskflow';

await ready();
console.log(String(ops.oneHot(tensor([0, 2], { dtype: 'int32' }), 3)));
// → [[1 0 0]
// →  [0 0 1]]
// → shape (2, 3), float32
