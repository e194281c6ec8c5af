// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
console.log(String(ops.silu([-100, 0, 1, 100]))); // x · sigmoid(x)
// → [       0        0 0.731059      100]
// → shape (4), float32
