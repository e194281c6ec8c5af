// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
console.log(String(ops.fmin([1, NaN], [0, 5])));
// → [0 5]
// → shape (2), float32
