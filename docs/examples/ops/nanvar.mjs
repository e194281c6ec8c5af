// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
console.log(String(ops.nanvar([1, NaN, 3])));
// → 1
// → shape (), float32
