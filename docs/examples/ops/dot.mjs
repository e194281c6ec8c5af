// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
console.log(String(ops.dot([[1, 2], [3, 4]], [10, 1])));
// → [12 34]
// → shape (2), float32
