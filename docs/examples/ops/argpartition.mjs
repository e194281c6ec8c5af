// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
const order = ops.argpartition([5, 1, 4, 2], 1);
console.log(String(ops.take([5, 1, 4, 2], order))); // the two smallest come first
// → [1 2 4 5]
// → shape (4), float32
