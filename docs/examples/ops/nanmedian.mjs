// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
console.log(String(ops.nanmedian([1, NaN, 3, 10])));
// → 3
// → shape (), float32
