// SPDX-License-Identifier: MIT
import { ops, ready, tensor } from 'maskflow/train';

await ready();
const [x, y] = ops.meshgrid([tensor([1, 2, 3]), tensor([10, 20])]);
console.log(String(x));
console.log(String(y));
// → [[1 2 3]
// →  [1 2 3]]
// → shape (2, 3), float32
// → [[10 10 10]
// →  [20 20 20]]
// → shape (2, 3), float32
