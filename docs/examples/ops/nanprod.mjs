// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
console.log(String(ops.nanprod([2, NaN, 3])));
// → 6
// → shape (), float32
