// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
const x = [-2, 0.5, 3];
const conditions = [ops.less(x, 0), ops.less(x, 1)];
console.log(String(ops.select(conditions, [0, x], 1)));
// → [  0 0.5   1]
// → shape (3), float32
