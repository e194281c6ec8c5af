// SPDX-License-Identifier: MIT
import { ops, ready, tensor } from 'maskflow';

await ready();
const a = [[1, 2]];
const b = [[3, 4]];
console.log(String(ops.concatenate([tensor(a), tensor(b)])));
console.log(String(ops.concatenate([tensor(a), tensor(b)], { axis: -1 }))); // the last axis
// → [[1 2]
// →  [3 4]]
// → shape (2, 2), float32
// → [[1 2 3 4]]
// → shape (1, 4), float32
