// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
const kernel = [[[1], [10]], [[1], [10]]]; // [steps, features, multiplier]
console.log(String(ops.depthwiseConv([[[1, 2], [3, 4], [5, 6]]], kernel)));
// → [[[  4  60]
// →   [  8 100]]]
// → shape (1, 2, 2), float32
