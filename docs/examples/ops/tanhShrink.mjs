// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
console.log(String(ops.tanhShrink([-100, 0, 100])));
// → [-99   0  99]
// → shape (3), float32
