// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
console.log(String(ops.conv([[[1], [2], [4], [7]]], [[[-1]], [[1]]]))); // differences of neighbours
// → [[[1]
// →   [2]
// →   [3]]]
// → shape (1, 3, 1), float32
