// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
console.log(String(ops.exp([-1000, 0, 1, 1000]))); // beyond 88.7: infinite
// → [       0        1  2.71828 Infinity]
// → shape (4), float32
