// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
console.log(String(ops.kron([[1, 2]], [[1, 1], [0, 1]])));
// → [[1 1 2 2]
// →  [0 1 0 2]]
// → shape (2, 4), float32
