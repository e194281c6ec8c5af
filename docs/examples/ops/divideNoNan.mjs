// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
console.log(String(ops.divideNoNan([1, 2], [0, 4])));
// → [  0 0.5]
// → shape (2), float32
