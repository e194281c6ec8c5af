// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
console.log(String(ops.glu([[1, 2, 0, 100]]))); // [1, 2] · sigmoid([0, 100])
// → [[0.5   2]]
// → shape (1, 2), float32
