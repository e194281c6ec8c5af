// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
console.log(String(ops.hardSilu([-3, -1.5, 0, 3])));
// → [     0 -0.375      0      3]
// → shape (4), float32
