// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
console.log(String(ops.nanquantile([0, NaN, 10], 0.25)));
// → 2.5
// → shape (), float32
