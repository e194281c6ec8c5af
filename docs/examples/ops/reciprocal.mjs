// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
console.log(String(ops.reciprocal([2, -4, 0])));
// → [     0.5    -0.25 Infinity]
// → shape (3), float32
