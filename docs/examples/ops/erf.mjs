// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
console.log(String(ops.erf([-10, 0, 0.5, 10])));
// → [    -1      0 0.5205      1]
// → shape (4), float32
