// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
console.log(String(ops.nanargmin([NaN, 2, 1])));
// → 2
// → shape (), int32
