// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
console.log(String(ops.log2([0.5, 1, 8])));
// → [-1  0  3]
// → shape (3), float32
