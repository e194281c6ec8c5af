// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
console.log(String(ops.map((row) => ops.max(row), [[1, 5], [7, 2]])));
// → [5 7]
// → shape (2), float32
