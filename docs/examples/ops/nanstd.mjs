// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
console.log(String(ops.nanstd([1, NaN, 3])));
// → 1
// → shape (), float32
