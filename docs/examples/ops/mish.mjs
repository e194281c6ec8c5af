// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
console.log(String(ops.mish([-100, 0, 100])));
// → [  0   0 100]
// → shape (3), float32
