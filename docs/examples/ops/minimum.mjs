// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
console.log(String(ops.minimum([1, 5, NaN], [3, 2, 0])));
// → [  1   2 NaN]
// → shape (3), float32
