// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
console.log(String(ops.cdist([[0, 0], [3, 4]], [[0, 0]])));
// → [[0]
// →  [5]]
// → shape (2, 1), float32
