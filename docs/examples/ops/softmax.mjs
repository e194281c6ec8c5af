// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
console.log(String(ops.softmax([[0, 0], [1000, 0]]))); // no overflow
const scores = ops.where([true, true, false], [1, 1, 9], -1e9);
console.log(String(ops.softmax(scores))); // how attention hides a step
// → [[0.5 0.5]
// →  [  1   0]]
// → shape (2, 2), float32
// → [0.5 0.5   0]
// → shape (3), float32
