// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
console.log(String(ops.leakyRelu([-10, 0, 10]))); // slope 0.2 below
console.log(String(ops.leakyRelu([-10], { negativeSlope: 0.5 })));
// → [-2  0 10]
// → shape (3), float32
// → [-5]
// → shape (1), float32
