// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
console.log(String(ops.fliplr([[1, 2], [3, 4]])));
// → [[2 1]
// →  [4 3]]
// → shape (2, 2), float32
