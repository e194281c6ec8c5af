// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
console.log(String(ops.nanargmax([[NaN, 2, 1], [NaN, NaN, NaN]], { axis: 1 })));
// → [ 1 -1]
// → shape (2), int32
