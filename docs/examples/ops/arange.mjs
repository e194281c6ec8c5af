// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
console.log(String(ops.arange(4)));
console.log(String(ops.arange(1, { stop: 2, step: 0.25 }))); // the end is not included
// → [0 1 2 3]
// → shape (4), int32
// → [   1 1.25  1.5 1.75]
// → shape (4), float32
