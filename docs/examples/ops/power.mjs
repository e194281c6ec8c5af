// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
console.log(String(ops.power([2, 9, 2], [10, 0.5, -1])));
// → [1024    3  0.5]
// → shape (3), float32
