// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
console.log(String(ops.rsqrt([4, 100])));
// → [0.5 0.1]
// → shape (2), float32
