// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
console.log(String(ops.hardTanh([-5, 0.5, 5])));
// → [ -1 0.5   1]
// → shape (3), float32
