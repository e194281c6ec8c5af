// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
console.log(String(ops.nanmin([2, NaN, 3])));
// → 2
// → shape (), float32
