// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
console.log(String(ops.heaviside([-2, 0, 3], [0.5])));
// → [  0 0.5   1]
// → shape (3), float32
