// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
console.log(String(ops.multiply([[1, 2], [3, 4]], [10, 100])));
// → [[ 10 200]
// →  [ 30 400]]
// → shape (2, 2), float32
