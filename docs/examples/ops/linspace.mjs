// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
console.log(String(ops.linspace(0, 1, { num: 5 }))); // both ends are included
// → [   0 0.25  0.5 0.75    1]
// → shape (5), float32
