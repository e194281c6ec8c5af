// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
console.log(String(ops.nancumsum([2, NaN, 3])));
// → [2 2 5]
// → shape (3), float32
