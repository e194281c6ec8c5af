// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
console.log(String(ops.nanmax([2, NaN, 3])));
// → 3
// → shape (), float32
