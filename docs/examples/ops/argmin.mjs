// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
console.log(String(ops.argmin([[3, 1, 2], [0, 5, 0]], { axis: -1 }))); // of equals the first
// → [1 0]
// → shape (2), int32
