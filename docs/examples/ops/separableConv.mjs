// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
const depthwise = [[[1], [1]], [[1], [1]]]; // [steps, features, multiplier]
const pointwise = [[[1], [-1]]]; // [1, features * multiplier, filters]
console.log(String(ops.separableConv([[[1, 2], [3, 4], [5, 7]]], depthwise, pointwise)));
// → [[[-2]
// →   [-3]]]
// → shape (1, 2, 1), float32
