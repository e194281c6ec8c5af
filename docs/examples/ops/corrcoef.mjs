// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
console.log(String(ops.corrcoef([[1, 2, 3], [2, 4, 7]])));
// → [[       1 0.993399]
// →  [0.993399        1]]
// → shape (2, 2), float32
