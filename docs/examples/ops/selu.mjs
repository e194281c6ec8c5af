// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
console.log(String(ops.selu([-1000, 0, 1])));
// → [-1.7581       0  1.0507]
// → shape (3), float32
