// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
console.log(String(ops.append([1, 2], [3])));
console.log(String(ops.append([[1, 2]], [[3, 4]], { axis: 0 })));
// → [1 2 3]
// → shape (3), float32
// → [[1 2]
// →  [3 4]]
// → shape (2, 2), float32
