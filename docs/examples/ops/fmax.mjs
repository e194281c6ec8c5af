// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
console.log(String(ops.fmax([1, NaN], [0, 5])));
// → [1 5]
// → shape (2), float32
