// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
console.log(String(ops.diagflat([[1, 2]], { k: 1 })));
// → [[0 1 0]
// →  [0 0 2]
// →  [0 0 0]]
// → shape (3, 3), float32
