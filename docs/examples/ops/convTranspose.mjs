// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
const kernel = [[[1]], [[0.5]]]; // [steps, filters, features]
console.log(String(ops.convTranspose([[[1], [2]]], kernel, { strides: 2 })));
// → [[[  1]
// →   [0.5]
// →   [  2]
// →   [  1]]]
// → shape (1, 4, 1), float32
