// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
console.log(String(ops.vectorizedMap((row) => ops.sum(row), [[1, 5], [7, 2]])));
// → [6 9]
// → shape (2), float32
