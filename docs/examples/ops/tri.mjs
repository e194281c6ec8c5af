// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
console.log(String(ops.tri(3)));
// → [[1 0 0]
// →  [1 1 0]
// →  [1 1 1]]
// → shape (3, 3), float32
