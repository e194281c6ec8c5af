// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
console.log(String(ops.maximum([1, 5, NaN], [3, 2, 0])));
// → [  3   5 NaN]
// → shape (3), float32
