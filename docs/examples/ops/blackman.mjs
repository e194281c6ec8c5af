// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
console.log(String(ops.blackman(5)));
// → [-1.49012e-8        0.34           1        0.34 -1.49012e-8]
// → shape (5), float32
