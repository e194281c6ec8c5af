// SPDX-License-Identifier: MIT
import { layers, ops, ready } from 'maskflow';

await ready({ seed: 1 });
const layer = layers.dropout({ rate: 0.5 });
const ones = ops.ones([1, 1000]);
console.log(layer.apply(ones).mean().item()); // predicting: nothing happens
const dropped = layer.apply(ones, { training: true });
console.log([...new Set(dropped.data())].sort().join(' ')); // gone, or twice as large
console.log(Math.abs(dropped.mean().item() - 1) < 0.1); // so that the mean stays
// → 1
// → 0 2
// → true
