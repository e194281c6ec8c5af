// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
console.log(String(ops.gelu([-10, 0, 1, 10])));
console.log(String(ops.gelu([1], { approximate: true })));
// → [       0        0 0.841345       10]
// → shape (4), float32
// → [0.841192]
// → shape (1), float32
