// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
console.log(String(ops.averagePool([[[1], [2], [3], [6]]], 2)));
// → [[[1.5]
// →   [4.5]]]
// → shape (1, 2, 1), float32
