// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
console.log(String(ops.tanh([-100, 0, 100])));
// → [-1  0  1]
// → shape (3), float32
