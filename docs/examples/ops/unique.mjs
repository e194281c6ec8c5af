// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
const [values, counts] = ops.unique([3, 1, 3], { returnCounts: true });
console.log(String(values), String(counts));
// → [1 3]
// → shape (2), float32 [1 2]
// → shape (2), int32
