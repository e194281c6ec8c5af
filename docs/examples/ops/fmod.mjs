// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
console.log(String(ops.fmod([7, -7], [3, 3])));
console.log(String(ops.mod([7, -7], [3, 3])));
// → [ 1 -1]
// → shape (2), float32
// → [1 2]
// → shape (2), float32
