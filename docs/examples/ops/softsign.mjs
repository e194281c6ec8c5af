// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
console.log(String(ops.softsign([-3, 0, 1])));
// → [-0.75     0   0.5]
// → shape (3), float32
