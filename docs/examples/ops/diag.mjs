// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
console.log(String(ops.diag([1, 2])));
console.log(String(ops.diag([[1, 2], [3, 4]])));
// → [[1 0]
// →  [0 2]]
// → shape (2, 2), float32
// → [1 4]
// → shape (2), float32
