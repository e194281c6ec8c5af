// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
console.log(String(ops.tril(ops.ones([3, 3])))); // who may see whom under a causal mask
// → [[1 0 0]
// →  [1 1 0]
// →  [1 1 1]]
// → shape (3, 3), float32
