// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
const scores = [[0.1, 0.7, 0.2], [0.5, 0.5, 0]];
console.log(String(ops.argmax(scores, { axis: -1 }))); // of equals the first
// → [1 0]
// → shape (2), int32
