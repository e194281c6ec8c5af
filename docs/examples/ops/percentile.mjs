// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
console.log(String(ops.percentile([1, 2, 3, 4], 90)));
// → 3.7
// → shape (), float32
