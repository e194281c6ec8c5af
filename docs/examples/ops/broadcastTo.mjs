// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
console.log(String(ops.broadcastTo([[1], [2]], [2, 3])));
// → [[1 1 1]
// →  [2 2 2]]
// → shape (2, 3), float32
