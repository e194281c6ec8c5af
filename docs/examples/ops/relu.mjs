// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
console.log(String(ops.relu([-1, 0, 2])));
console.log(String(ops.relu([-1, 0, 9], { negativeSlope: 0.5, maxValue: 6 })));
// → [0 0 2]
// → shape (3), float32
// → [-0.5    0    6]
// → shape (3), float32
