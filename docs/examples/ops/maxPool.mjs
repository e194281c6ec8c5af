// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
console.log(String(ops.maxPool([[[1], [3], [2], [6]]], 2)));
// → [[[3]
// →   [6]]]
// → shape (1, 2, 1), float32
