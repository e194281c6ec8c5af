// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
console.log(String(ops.sparsePlus([-2, 0, 1, 3])));
// → [   0 0.25    1    3]
// → shape (4), float32
