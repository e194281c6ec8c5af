// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
console.log(String(ops.rot90([[1, 2], [3, 4]])));
// → [[2 4]
// →  [1 3]]
// → shape (2, 2), float32
