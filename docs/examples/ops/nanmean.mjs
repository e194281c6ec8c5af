// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
console.log(String(ops.nanmean([[1, NaN, 3], [NaN, NaN, 5]], { axis: 1 })));
// → [2 5]
// → shape (2), float32
