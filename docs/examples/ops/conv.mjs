// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
const difference = [[[-1]], [[1]]]; // of neighbours
console.log(String(ops.conv([[[1], [2], [4], [7]]], difference)));
// → [[[1]
// →   [2]
// →   [3]]]
// → shape (1, 3, 1), float32
