// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
const x = [[[[1, 0]], [[0, 1]]]]; // [batch, time, heads, features]
const y = ops.dotProductAttention(x, x, x, { isCausal: true });
console.log(String(ops.round(y, { decimals: 3 })));
// → [[[[   1    0]]
// →   [[0.33 0.67]]]]
// → shape (1, 2, 1, 2), float32
