// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
console.log(String(ops.nansum([[1, NaN, 3], [NaN, NaN, NaN]], { axis: 1 })));
// → [4 0]
// → shape (2), float32
