// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
console.log(String(ops.sparsemax([[0, 0, 5]])));
console.log(String(ops.softmax([[0, 0, 5]]))); // which never gives a zero
// → [[0 0 1]]
// → shape (1, 3), float32
// → [[0.00664835 0.00664835   0.986703]]
// → shape (1, 3), float32
