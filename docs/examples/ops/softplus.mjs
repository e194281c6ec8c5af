// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
console.log(String(ops.softplus([-1000, 0, 1000])));
// → [       0 0.693147     1000]
// → shape (3), float32
