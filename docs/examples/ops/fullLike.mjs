// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
console.log(String(ops.fullLike([[1, 2], [3, 4]], -1)));
// → [[-1 -1]
// →  [-1 -1]]
// → shape (2, 2), float32
