// SPDX-License-Identifier: MIT
import { ops, ready, tensor } from 'maskflow';

await ready();
console.log(String(ops.divide([1, 6, 1], [4, 3, 0])));
// Whole numbers too: float32
console.log(String(ops.divide(tensor([7], { dtype: 'int32' }), 2)));
// → [    0.25        2 Infinity]
// → shape (3), float32
// → [3.5]
// → shape (1), float32
